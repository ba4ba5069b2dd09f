// SPDX-License-Identifier: GPL-2.0
// kernels: 6.1 6.12 newest debug
/* What no well-behaved tool sends: the family refuses it, with words, and goes on. */
#include "family.h"

#include "../kselftest_harness.h"

/* From the last reply. */
static uint64_t listener;

FIXTURE(family)
{
	struct family f;
};

static void on_reply(struct family *f, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == SRQPOOL_A_LISTENER_ID)
			listener = mnl_attr_get_u64(attr);
}

static int talk_empty(struct family *f, uint8_t cmd)
{
	return family_talk(f, family_start(f, cmd));
}

static void put_class(struct nlmsghdr *nlh, uint32_t size, uint32_t floor)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);

	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_SIZE, size);
	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_FLOOR, floor);
	mnl_attr_nest_end(nlh, nest);
}

static struct nlmsghdr *new_pool(struct family *f, const char *name)
{
	struct nlmsghdr *nlh = family_start(f, SRQPOOL_CMD_POOL_NEW);

	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, name);
	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_DEV, "rxe0");
	return nlh;
}

FIXTURE_SETUP(family)
{
	self->f.reply = on_reply;
	ASSERT_EQ(0, family_open(&self->f));
	ASSERT_NE(0, self->f.id);
}

FIXTURE_TEARDOWN(family)
{
	family_del_pool(&self->f, "raw");
	mnl_socket_close(self->f.nl);
}

TEST_F(family, version_is_the_headers)
{
	EXPECT_EQ(SRQPOOL_GENL_VERSION, self->f.version);
}

TEST_F(family, missing_attributes_are_named)
{
	EXPECT_EQ(EINVAL, talk_empty(&self->f, SRQPOOL_CMD_POOL_NEW));
	EXPECT_STREQ("the pool's name is missing", self->f.text);
	EXPECT_EQ(EINVAL, family_talk(&self->f, new_pool(&self->f, "raw")));
	EXPECT_STREQ("a class is missing", self->f.text);
	EXPECT_EQ(EINVAL, talk_empty(&self->f, SRQPOOL_CMD_LISTENER_NEW));
	EXPECT_EQ(EINVAL, talk_empty(&self->f, SRQPOOL_CMD_LISTENER_DEL));
	EXPECT_EQ(EINVAL, talk_empty(&self->f, SRQPOOL_CMD_CONN_DEL));
}

TEST_F(family, unknown_attributes_and_commands_are_refused)
{
	struct nlmsghdr *nlh = new_pool(&self->f, "raw");

	put_class(nlh, 4096, 64);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_MAX + 1, 0);
	EXPECT_EQ(EINVAL, family_talk(&self->f, nlh));
	EXPECT_EQ(EOPNOTSUPP, talk_empty(&self->f, SRQPOOL_CMD_MAX + 1));
	EXPECT_EQ(EOPNOTSUPP, talk_empty(&self->f, SRQPOOL_CMD_EVENT_NTF));
}

TEST_F(family, wrong_types_and_lengths_are_refused)
{
	struct nlmsghdr *nlh = new_pool(&self->f, "raw");
	struct nlattr *nest;

	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_CLASS, 0);
	EXPECT_NE(0, family_talk(&self->f, nlh));

	nlh = new_pool(&self->f, "raw");
	nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);
	mnl_attr_put_u8(nlh, SRQPOOL_A_CLASS_SIZE, 1);
	mnl_attr_nest_end(nlh, nest);
	EXPECT_NE(0, family_talk(&self->f, nlh));

	nlh = new_pool(&self->f, "raw");
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_BUDGET, 1);
	put_class(nlh, 4096, 64);
	EXPECT_NE(0, family_talk(&self->f, nlh));

	/* A string without its end, and a nest that is longer than its message. */
	nlh = family_start(&self->f, SRQPOOL_CMD_POOL_GET);
	mnl_attr_put(nlh, SRQPOOL_A_POOL_NAME, 3, "raw");
	EXPECT_NE(0, family_talk(&self->f, nlh));
	nlh = new_pool(&self->f, "raw");
	nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);
	mnl_attr_nest_end(nlh, nest);
	nest->nla_len = 60000;
	EXPECT_NE(0, family_talk(&self->f, nlh));
}

TEST_F(family, extreme_numbers_are_refused)
{
	static const uint32_t sizes[] = { 0, 63, 4194305, UINT32_MAX };
	struct nlmsghdr *nlh;
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		nlh = new_pool(&self->f, "raw");
		put_class(nlh, sizes[i], 64);
		EXPECT_EQ(EINVAL, family_talk(&self->f, nlh));
		EXPECT_NE(NULL, strstr(self->f.text, "bytes"));
	}
	nlh = new_pool(&self->f, "raw");
	put_class(nlh, 4096, UINT32_MAX);
	EXPECT_EQ(ERANGE, family_talk(&self->f, nlh));
	EXPECT_NE(NULL, strstr(self->f.text, "max_srq_wr"));
	nlh = new_pool(&self->f, "raw");
	put_class(nlh, 4096, 64);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_SHARDS, UINT32_MAX);
	EXPECT_EQ(EINVAL, family_talk(&self->f, nlh));
}

TEST_F(family, too_many_classes_are_refused)
{
	struct nlmsghdr *nlh = new_pool(&self->f, "raw");
	unsigned int i;

	for (i = 0; i <= SRQPOOL_CLASSES_MAX; i++)
		put_class(nlh, 4096 + i, 64);
	EXPECT_EQ(EINVAL, family_talk(&self->f, nlh));
	EXPECT_STREQ("a pool has at most 8 classes", self->f.text);
}

TEST_F(family, a_warning_comes_with_success)
{
	struct nlmsghdr *nlh = new_pool(&self->f, "raw");

	put_class(nlh, 4096, 64);
	EXPECT_EQ(0, family_talk(&self->f, nlh));
	EXPECT_NE(NULL, strstr(self->f.text, "shallow"));
}

static int listen_on(struct family *f, const void *addr, size_t len, uint16_t port)
{
	struct nlmsghdr *nlh = family_start(f, SRQPOOL_CMD_LISTENER_NEW);

	mnl_attr_put_strz(nlh, SRQPOOL_A_LISTENER_POOL, "raw");
	mnl_attr_put(nlh, SRQPOOL_A_LISTENER_ADDR, len, addr);
	mnl_attr_put_u16(nlh, SRQPOOL_A_LISTENER_PORT, port);
	return family_talk(f, nlh);
}

TEST_F(family, addresses_have_one_of_two_lengths)
{
	static const uint8_t addr[16] = { 10, 7, 0, 1 };
	struct nlmsghdr *nlh = new_pool(&self->f, "raw");

	put_class(nlh, 4096, 64);
	ASSERT_EQ(0, family_talk(&self->f, nlh));
	EXPECT_EQ(EINVAL, listen_on(&self->f, addr, 5, 7471));
	EXPECT_NE(0, listen_on(&self->f, addr, 0, 7471));
	EXPECT_NE(0, listen_on(&self->f, addr, 4, 0));
	EXPECT_EQ(0, listen_on(&self->f, addr, 4, 7471));
}

TEST_F(family, ids_are_never_used_twice)
{
	static const uint8_t addr[4] = { 10, 7, 0, 1 };
	uint64_t before = 0;
	int i;

	for (i = 0; i < 5; i++) {
		struct nlmsghdr *nlh = new_pool(&self->f, "raw");

		put_class(nlh, 4096, 64);
		ASSERT_EQ(0, family_talk(&self->f, nlh));
		ASSERT_EQ(0, listen_on(&self->f, addr, 4, 7471));
		EXPECT_GT(listener, before);
		before = listener;
		ASSERT_EQ(0, family_del_pool(&self->f, "raw"));
	}
}

TEST_HARNESS_MAIN
