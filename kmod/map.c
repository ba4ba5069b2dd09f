// SPDX-License-Identifier: GPL-2.0
#include <linux/fs.h>
#include <linux/fs_context.h>
#include <linux/mount.h>
#include <linux/pagemap.h>
#include <linux/pseudo_fs.h>
#include <linux/slab.h>
#include <linux/srqpool.h>
#include "compat.h"
#include "map.h"

#define MAP_MAGIC	0x73727170
/* More than there will be files. */
#define MAP_WRITABLE	BIT(30)
/* Buffers are no larger. */
#define MAP_ORDER_MAX	get_order(SRQPOOL_SIZE_MAX)

static struct vfsmount *map_mount;

static int map_init_fs_context(struct fs_context *fc)
{
	return init_pseudo(fc, MAP_MAGIC) ? 0 : -ENOMEM;
}

/* Without an owner: our own mount must not keep us loaded. */
static struct file_system_type map_fs = {
	.name = "srqpool",
	.init_fs_context = map_init_fs_context,
	.kill_sb = kill_anon_super,
};

int map_init(void)
{
	map_mount = kern_mount(&map_fs);
	return PTR_ERR_OR_ZERO(map_mount);
}

void map_exit(void)
{
	kern_unmount(map_mount);
}

/**
 * map_create - a map without a page
 *
 * Context: process, sleeps.
 *
 * Return: the map with a reference, or an error pointer.
 */
struct srqpool_map *map_create(void)
{
	struct srqpool_map *map = kzalloc(sizeof(*map), GFP_KERNEL);
	struct inode *inode;

	if (!map)
		return ERR_PTR(-ENOMEM);
	inode = alloc_anon_inode(map_mount->mnt_sb);
	if (IS_ERR(inode)) {
		kfree(map);
		return ERR_CAST(inode);
	}
	/*
	 * A file gets this mapping when it is attached. Who maps it meanwhile
	 * counts up there and down here, and nobody ever denies to write.
	 */
	atomic_set(&inode->i_mapping->i_mmap_writable, MAP_WRITABLE);
	kref_init(&map->ref);
	map->inode = inode;
	xa_init(&map->pages);
	return map;
}

void map_get(struct srqpool_map *map)
{
	kref_get(&map->ref);
}

static void map_free(struct kref *ref)
{
	struct srqpool_map *map = container_of(ref, struct srqpool_map, ref);

	xa_destroy(&map->pages);
	iput(map->inode);
	kfree(map);
}

/* Context: process, sleeps. */
void map_put(struct srqpool_map *map)
{
	kref_put(&map->ref, map_free);
}

/**
 * map_add - have programs find pages
 * @map: the map
 * @page: a compound page, or a single one
 * @order: its order
 * @first: out, number of its first page, a multiple of its size
 *
 * Context: process, sleeps.
 *
 * Return: 0 or -ENOMEM.
 */
int map_add(struct srqpool_map *map, struct page *page, unsigned int order,
	    pgoff_t *first)
{
	xa_lock(&map->pages);
	*first = ALIGN(map->next, 1UL << order);
	map->next = *first + (1UL << order);
	xa_unlock(&map->pages);
	return xa_err(xa_store(&map->pages, *first, page, GFP_KERNEL));
}

static void unmap(struct srqpool_map *map, pgoff_t first, struct page *page)
{
	unmap_mapping_pages(map->inode->i_mapping, first, compound_nr(page), true);
}

/**
 * map_del - take pages out of the map and out of all programs
 * @map: the map
 * @first: number of the first; nothing happens if they are not there
 *
 * A fault that has found the page holds its lock until it is mapped: so either
 * it is taken away here, or the fault finds nothing.
 *
 * Context: process, sleeps; not in reclaim, see map_try_del().
 */
void map_del(struct srqpool_map *map, pgoff_t first)
{
	struct page *page = xa_erase(&map->pages, first);

	if (!page)
		return;
	lock_page(page);
	unlock_page(page);
	unmap(map, first, page);
}

/**
 * map_try_del - the same, unless a fault is about to map the page
 * @map: the map
 * @first: number of the first page; they are there
 *
 * Context: process, sleeps; in reclaim, too: that may be by the very fault,
 * which allocates a page table.
 *
 * Return: whether they are gone.
 */
bool map_try_del(struct srqpool_map *map, pgoff_t first)
{
	struct page *page = xa_load(&map->pages, first);

	if (!page || !trylock_page(page))
		return !page;
	xa_erase(&map->pages, first);
	unlock_page(page);
	unmap(map, first, page);
	return true;
}

/* A page is found by the number of its first one, which is a multiple of its size. */
static struct page *find(struct srqpool_map *map, pgoff_t number)
{
	unsigned int order;
	struct page *page;
	pgoff_t first;

	lockdep_assert_held(&map->pages.xa_lock);
	for (order = 0; order <= MAP_ORDER_MAX; order++) {
		first = ALIGN_DOWN(number, 1UL << order);
		page = xa_load(&map->pages, first);
		if (page && number - first < compound_nr(page))
			return page + (number - first);
	}
	return NULL;
}

static struct page *get(struct srqpool_map *map, pgoff_t number)
{
	struct page *page;

	xa_lock(&map->pages);
	page = find(map, number);
	if (page)
		get_page(page);
	xa_unlock(&map->pages);
	return page;
}

static bool is_there(struct srqpool_map *map, pgoff_t number, struct page *page)
{
	bool there;

	xa_lock(&map->pages);
	there = find(map, number) == page;
	xa_unlock(&map->pages);
	return there;
}

static vm_fault_t fault(struct vm_fault *vmf)
{
	struct srqpool_map *map = vmf->vma->vm_private_data;
	struct page *page = get(map, vmf->pgoff);

	if (!page)
		return VM_FAULT_SIGBUS;
	lock_page(page);
	if (!is_there(map, vmf->pgoff, page)) {
		unlock_page(page);
		put_page(page);
		return VM_FAULT_SIGBUS;
	}
	vmf->page = page;
	return VM_FAULT_LOCKED;
}

static const struct vm_operations_struct vm_ops = {
	.fault = fault,
};

/**
 * map_mmap - have a program see pages, those that will be there too
 * @map: the map; the program's file has its inode's mapping, and a reference
 * @vma: shared
 * @end: number behind the last page
 *
 * Context: process, under the mm's lock.
 *
 * Return: 0; -EACCES to write or execute; -EINVAL behind the end.
 */
int map_mmap(struct srqpool_map *map, struct vm_area_struct *vma, pgoff_t end)
{
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EACCES;
	if (vma_pages(vma) > end - vma->vm_pgoff)
		return -EINVAL;
	compat_vm_flags_clear(vma, VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = map;
	vma->vm_ops = &vm_ops;
	return 0;
}
