/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between the kernels srqpool builds for, 6.1 and later. */
#ifndef SRQPOOL_COMPAT_H
#define SRQPOOL_COMPAT_H

#include <linux/mm.h>
#include <linux/shrinker.h>
#include <linux/slab.h>
#include <net/genetlink.h>

static inline struct nlattr **compat_dump_attrs(struct netlink_callback *cb)
{
#ifdef HAVE_GENL_INFO_DUMP	/* since 6.6 */
	return genl_dumpit_info(cb)->info.attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

static inline void compat_vm_flags_set(struct vm_area_struct *vma,
				       unsigned long flags)
{
#ifdef HAVE_VM_FLAGS_SET	/* since 6.3 */
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

static inline void compat_vm_flags_clear(struct vm_area_struct *vma,
					 unsigned long flags)
{
#ifdef HAVE_VM_FLAGS_SET
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

typedef unsigned long (*compat_shrink_t)(struct shrinker *s,
					 struct shrink_control *sc);

#ifdef HAVE_SHRINKER_ALLOC	/* since 6.7 */
static inline struct shrinker *compat_shrinker_register(compat_shrink_t count,
							compat_shrink_t scan,
							const char *name)
{
	struct shrinker *s = shrinker_alloc(0, "%s", name);

	if (!s)
		return NULL;
	s->count_objects = count;
	s->scan_objects = scan;
	shrinker_register(s);
	return s;
}

static inline void compat_shrinker_free(struct shrinker *s)
{
	shrinker_free(s);
}
#else
static inline struct shrinker *compat_shrinker_register(compat_shrink_t count,
							compat_shrink_t scan,
							const char *name)
{
	struct shrinker *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return NULL;
	s->count_objects = count;
	s->scan_objects = scan;
	s->seeks = DEFAULT_SEEKS;
	if (register_shrinker(s, "%s", name)) {
		kfree(s);
		return NULL;
	}
	return s;
}

static inline void compat_shrinker_free(struct shrinker *s)
{
	unregister_shrinker(s);
	kfree(s);
}
#endif

#endif /* SRQPOOL_COMPAT_H */
