/* SPDX-License-Identifier: GPL-2.0 */
/* map: the pages of a pool's buffers, as a program sees them in its memory. */
#ifndef SRQPOOL_MAP_H
#define SRQPOOL_MAP_H

#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/xarray.h>

/**
 * struct srqpool_map - what programs map: a file that pages come and go in
 * @ref: one of the pool on its device, one for each program
 * @inode: whose mapping the programs' files have
 * @pages: the compound pages by the number of their first page
 * @next: number of the next page; none is used twice
 */
struct srqpool_map {
	struct kref ref;
	struct inode *inode;
	struct xarray pages;
	pgoff_t next;
};

int map_init(void);
void map_exit(void);

struct srqpool_map *map_create(void);
void map_get(struct srqpool_map *map);
void map_put(struct srqpool_map *map);
int map_add(struct srqpool_map *map, struct page *page, unsigned int order,
	    pgoff_t *first);
void map_del(struct srqpool_map *map, pgoff_t first);
bool map_try_del(struct srqpool_map *map, pgoff_t first);
int map_mmap(struct srqpool_map *map, struct vm_area_struct *vma, pgoff_t end);

#endif /* SRQPOOL_MAP_H */
