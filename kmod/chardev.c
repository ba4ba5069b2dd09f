// SPDX-License-Identifier: GPL-2.0
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include "chardev.h"
#include "holder.h"
#include "reader.h"
#include "records.h"
#include "rings.h"
#include "writes.h"

/**
 * struct chardev_file - an open file
 * @mutex: attaching
 * @reader: once attached
 * @holder: who opened it
 */
struct chardev_file {
	struct mutex mutex;	/* see above */
	struct srqpool_reader *reader;
	struct srqpool_holder holder;
};

static struct srqpool_reader *reader_of(struct file *filp)
{
	struct chardev_file *file = filp->private_data;

	/* Pairs with the release in attach(). */
	return smp_load_acquire(&file->reader);
}

static int chardev_open(struct inode *inode, struct file *filp)
{
	struct chardev_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	mutex_init(&file->mutex);
	holder_add(&file->holder, NULL);
	filp->private_data = file;
	/* Nobody waits for a peer who asks not to. */
	filp->f_mode |= FMODE_NOWAIT;
	return stream_open(inode, filp);
}

static int chardev_release(struct inode *inode, struct file *filp)
{
	struct chardev_file *file = filp->private_data;

	if (file->reader)
		reader_close(file->reader);
	holder_del(&file->holder);
	kfree(file);
	return 0;
}

static ssize_t chardev_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *filp = iocb->ki_filp;
	struct srqpool_reader *reader = reader_of(filp);

	if (!reader)
		return -ENOTCONN;
	return records_read(reader, to, filp->f_flags & O_NONBLOCK ||
				       iocb->ki_flags & IOCB_NOWAIT);
}

static ssize_t chardev_write(struct kiocb *iocb, struct iov_iter *from)
{
	struct srqpool_reader *reader = reader_of(iocb->ki_filp);

	return reader ? writes_send(reader, from) : -ENOTCONN;
}

static __poll_t chardev_poll(struct file *filp, poll_table *wait)
{
	struct srqpool_reader *reader = reader_of(filp);

	if (!reader)
		return EPOLLERR;
	poll_wait(filp, &reader->wait, wait);
	/* Pairs with wq_has_sleeper() of who then has something to tell. */
	smp_mb();
	return reader->entries ? rings_poll(reader) : records_poll(reader);
}

static bool is_right(const struct srqpool_attach *attach)
{
	if (strnlen(attach->pool, sizeof(attach->pool)) == sizeof(attach->pool))
		return false;
	if (!attach->flags)
		return !attach->entries;
	return attach->flags == SRQPOOL_ATTACH_RING &&
	       is_power_of_2(attach->entries) &&
	       attach->entries >= SRQPOOL_RING_MIN &&
	       attach->entries <= SRQPOOL_RING_MAX;
}

static int attach(struct file *filp, const struct srqpool_attach *attach)
{
	struct chardev_file *file = filp->private_data;
	struct srqpool_reader *reader;
	int ret = 0;

	if (!is_right(attach))
		return -EINVAL;
	mutex_lock(&file->mutex);
	if (file->reader) {
		ret = -EISCONN;
	} else {
		reader = reader_open(attach->pool, attach->entries);
		ret = PTR_ERR_OR_ZERO(reader);
	}
	if (!ret) {
		holder_attached(&file->holder, attach->pool,
				reader->user.pool->cfg.dev);
		/* So that what the pool takes back can be taken out of it. */
		if (reader->map)
			filp->f_mapping = reader->map->inode->i_mapping;
		/* It is whole before reader_of() sees it. */
		smp_store_release(&file->reader, reader);
	}
	mutex_unlock(&file->mutex);
	return ret;
}

static long ioctl_attach(struct file *filp, void __user *arg)
{
	struct srqpool_attach request;

	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	return attach(filp, &request);
}

static long ioctl_close(struct srqpool_reader *reader, void __user *arg)
{
	__u64 number;

	if (copy_from_user(&number, arg, sizeof(number)))
		return -EFAULT;
	return reader_hang_up(reader, number);
}

static long ioctl_stats(struct srqpool_reader *reader, void __user *arg)
{
	struct srqpool_reader_stats stats;

	reader_stats(reader, &stats);
	return copy_to_user(arg, &stats, sizeof(stats)) ? -EFAULT : 0;
}

static long ioctl_ring(struct srqpool_reader *reader, void __user *arg)
{
	struct srqpool_ring_info info;
	int ret = rings_info(reader, &info);

	if (ret)
		return ret;
	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

static long chardev_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct srqpool_reader *reader = reader_of(filp);
	void __user *user = (void __user *)arg;

	switch (cmd) {
	case SRQPOOL_IOC_ATTACH:
		return ioctl_attach(filp, user);
	case SRQPOOL_IOC_CLOSE:
		return reader ? ioctl_close(reader, user) : -ENOTCONN;
	case SRQPOOL_IOC_STATS:
		return reader ? ioctl_stats(reader, user) : -ENOTCONN;
	case SRQPOOL_IOC_RING:
		return reader ? ioctl_ring(reader, user) : -ENOTCONN;
	case SRQPOOL_IOC_KICK:
		return reader ? rings_kick(reader, arg) : -ENOTCONN;
	default:
		return -ENOTTY;
	}
}

static long chardev_compat_ioctl(struct file *filp, unsigned int cmd,
				 unsigned long arg)
{
	if (cmd != SRQPOOL_IOC_KICK)
		arg = (unsigned long)compat_ptr(arg);
	return chardev_ioctl(filp, cmd, arg);
}

static int chardev_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct srqpool_reader *reader = reader_of(filp);

	return reader ? rings_mmap(reader, vma) : -ENOTCONN;
}

static const struct file_operations chardev_fops = {
	.owner = THIS_MODULE,
	.open = chardev_open,
	.release = chardev_release,
	.read_iter = chardev_read,
	.write_iter = chardev_write,
	.poll = chardev_poll,
	.mmap = chardev_mmap,
	.unlocked_ioctl = chardev_ioctl,
	.compat_ioctl = chardev_compat_ioctl,
};

static struct miscdevice chardev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "srqpool",
	.fops = &chardev_fops,
	.mode = 0600,
};

int chardev_init(void)
{
	return misc_register(&chardev);
}

/* No file is open: the module is in use while one is. */
void chardev_exit(void)
{
	misc_deregister(&chardev);
}
