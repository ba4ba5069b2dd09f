// SPDX-License-Identifier: GPL-2.0
// kernels: 6.1 6.12 newest debug
/* What no well-behaved tool sends: the family refuses it, with words, and goes on. */
#include <time.h>
#include <unistd.h>

#include "../genl.h"
#include "../kselftest_harness.h"

FIXTURE(family)
{
	struct genl genl;
};

static uint64_t listener;	/* from the last reply */

static void on_message(struct genl *genl, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == SRQPOOL_A_LISTENER_ID)
			listener = mnl_attr_get_u64(attr);
}

static struct nlmsghdr *start(FIXTURE_DATA(family) *self, uint8_t cmd)
{
	return genl_start(&self->genl, self->genl.id, cmd);
}

static int talk(FIXTURE_DATA(family) *self, const struct nlmsghdr *nlh)
{
	return genl_talk(&self->genl, nlh);
}

static void put_class(struct nlmsghdr *nlh, uint32_t size, uint32_t floor)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);

	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_SIZE, size);
	mnl_attr_put_u32(nlh, SRQPOOL_A_CLASS_FLOOR, floor);
	mnl_attr_nest_end(nlh, nest);
}

static struct nlmsghdr *new_pool(FIXTURE_DATA(family) *self, const char *name)
{
	struct nlmsghdr *nlh = start(self, SRQPOOL_CMD_POOL_NEW);

	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_NAME, name);
	mnl_attr_put_strz(nlh, SRQPOOL_A_POOL_DEV, "rxe0");
	return nlh;
}

FIXTURE_SETUP(family)
{
	ASSERT_EQ(0, genl_open(&self->genl));
	ASSERT_NE(0, self->genl.id);
	self->genl.on_message = on_message;
}

FIXTURE_TEARDOWN(family)
{
	genl_del_pool(&self->genl, "raw");
	mnl_socket_close(self->genl.nl);
}

TEST_F(family, version_is_the_headers)
{
	EXPECT_EQ(SRQPOOL_GENL_VERSION, self->genl.version);
}

TEST_F(family, missing_attributes_are_named)
{
	EXPECT_EQ(EINVAL, talk(self, start(self, SRQPOOL_CMD_POOL_NEW)));
	EXPECT_STREQ("the pool's name is missing", self->genl.text);
	EXPECT_EQ(EINVAL, talk(self, new_pool(self, "raw")));
	EXPECT_STREQ("a class is missing", self->genl.text);
	EXPECT_EQ(EINVAL, talk(self, start(self, SRQPOOL_CMD_LISTENER_NEW)));
	EXPECT_EQ(EINVAL, talk(self, start(self, SRQPOOL_CMD_LISTENER_DEL)));
	EXPECT_EQ(EINVAL, talk(self, start(self, SRQPOOL_CMD_CONN_DEL)));
}

TEST_F(family, unknown_attributes_and_commands_are_refused)
{
	struct nlmsghdr *nlh = new_pool(self, "raw");

	put_class(nlh, 4096, 64);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_MAX + 1, 0);
	EXPECT_EQ(EINVAL, talk(self, nlh));
	EXPECT_EQ(EOPNOTSUPP, talk(self, start(self, SRQPOOL_CMD_MAX + 1)));
	EXPECT_EQ(EOPNOTSUPP, talk(self, start(self, SRQPOOL_CMD_EVENT_NTF)));
}

TEST_F(family, wrong_types_and_lengths_are_refused)
{
	struct nlmsghdr *nlh = new_pool(self, "raw");
	struct nlattr *nest;

	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_CLASS, 0);
	EXPECT_NE(0, talk(self, nlh));

	nlh = new_pool(self, "raw");
	nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);
	mnl_attr_put_u8(nlh, SRQPOOL_A_CLASS_SIZE, 1);
	mnl_attr_nest_end(nlh, nest);
	EXPECT_NE(0, talk(self, nlh));

	nlh = new_pool(self, "raw");
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_BUDGET, 1);
	put_class(nlh, 4096, 64);
	EXPECT_NE(0, talk(self, nlh));

	/* A string without its end, and a nest that is longer than its message. */
	nlh = start(self, SRQPOOL_CMD_POOL_GET);
	mnl_attr_put(nlh, SRQPOOL_A_POOL_NAME, 3, "raw");
	EXPECT_NE(0, talk(self, nlh));
	nlh = new_pool(self, "raw");
	nest = mnl_attr_nest_start(nlh, SRQPOOL_A_POOL_CLASS);
	mnl_attr_nest_end(nlh, nest);
	nest->nla_len = 60000;
	EXPECT_NE(0, talk(self, nlh));
}

TEST_F(family, extreme_numbers_are_refused)
{
	static const uint32_t sizes[] = { 0, 63, 4194305, UINT32_MAX };
	struct nlmsghdr *nlh;
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		nlh = new_pool(self, "raw");
		put_class(nlh, sizes[i], 64);
		EXPECT_EQ(EINVAL, talk(self, nlh));
		EXPECT_NE(NULL, strstr(self->genl.text, "bytes"));
	}
	nlh = new_pool(self, "raw");
	put_class(nlh, 4096, UINT32_MAX);
	EXPECT_EQ(ERANGE, talk(self, nlh));
	EXPECT_NE(NULL, strstr(self->genl.text, "max_srq_wr"));
	nlh = new_pool(self, "raw");
	put_class(nlh, 4096, 64);
	mnl_attr_put_u32(nlh, SRQPOOL_A_POOL_SHARDS, UINT32_MAX);
	EXPECT_EQ(EINVAL, talk(self, nlh));
}

TEST_F(family, too_many_classes_are_refused)
{
	struct nlmsghdr *nlh = new_pool(self, "raw");
	unsigned int i;

	for (i = 0; i <= SRQPOOL_CLASSES_MAX; i++)
		put_class(nlh, 4096 + i, 64);
	EXPECT_EQ(EINVAL, talk(self, nlh));
	EXPECT_STREQ("a pool has at most 8 classes", self->genl.text);
}

TEST_F(family, a_warning_comes_with_success)
{
	struct nlmsghdr *nlh = new_pool(self, "raw");

	put_class(nlh, 4096, 64);
	EXPECT_EQ(0, talk(self, nlh));
	EXPECT_NE(NULL, strstr(self->genl.text, "shallow"));
}

static int listen_on(FIXTURE_DATA(family) *self, const void *addr, size_t len, uint16_t port)
{
	struct nlmsghdr *nlh = start(self, SRQPOOL_CMD_LISTENER_NEW);

	mnl_attr_put_strz(nlh, SRQPOOL_A_LISTENER_POOL, "raw");
	mnl_attr_put(nlh, SRQPOOL_A_LISTENER_ADDR, len, addr);
	mnl_attr_put_u16(nlh, SRQPOOL_A_LISTENER_PORT, port);
	return talk(self, nlh);
}

TEST_F(family, addresses_have_one_of_two_lengths)
{
	static const uint8_t addr[16] = { 10, 7, 0, 1 };
	struct nlmsghdr *nlh = new_pool(self, "raw");

	put_class(nlh, 4096, 64);
	ASSERT_EQ(0, talk(self, nlh));
	EXPECT_EQ(EINVAL, listen_on(self, addr, 5, 7471));
	EXPECT_NE(0, listen_on(self, addr, 0, 7471));
	EXPECT_NE(0, listen_on(self, addr, 4, 0));
	EXPECT_EQ(0, listen_on(self, addr, 4, 7471));
}

TEST_F(family, ids_are_never_used_twice)
{
	static const uint8_t addr[4] = { 10, 7, 0, 1 };
	uint64_t before = 0;
	int i;

	for (i = 0; i < 5; i++) {
		struct nlmsghdr *nlh = new_pool(self, "raw");

		put_class(nlh, 4096, 64);
		ASSERT_EQ(0, talk(self, nlh));
		ASSERT_EQ(0, listen_on(self, addr, 4, 7471));
		EXPECT_GT(listener, before);
		before = listener;
		ASSERT_EQ(0, genl_del_pool(&self->genl, "raw"));
	}
}

TEST_HARNESS_MAIN
