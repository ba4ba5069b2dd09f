// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "region.h"

#include <sys/mman.h>

namespace srqload {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

void *map_anonymous(std::size_t bytes, int flags) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

} // namespace

tl::expected<Region, std::string> Region::map(std::size_t bytes) {
    if (bytes >= huge_page) {
        std::size_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
        if (void *data = map_anonymous(rounded, MAP_HUGETLB); data != MAP_FAILED)
            return Region(static_cast<std::byte *>(data), rounded);
    }
    void *data = map_anonymous(bytes, 0);
    if (data == MAP_FAILED)
        return tl::unexpected(failure(fmt::format("{} bytes of memory", bytes)));
    madvise(data, bytes, MADV_HUGEPAGE); // a wish; plain pages will do
    return Region(static_cast<std::byte *>(data), bytes);
}

Region::~Region() {
    if (data_ != nullptr)
        munmap(data_, bytes_);
}

tl::expected<Owned<ibv_mr>, std::string> register_region(ibv_pd *pd, const Region &region) {
    int access = IBV_ACCESS_LOCAL_WRITE; // an int: clang warns of ibv_reg_mr's mix of enums
    Owned<ibv_mr> mr(ibv_reg_mr(pd, region.data(), region.size(), access));
    if (!mr)
        return tl::unexpected(
            failure(fmt::format("register {} bytes (try: ulimit -l)", region.size())));
    return mr;
}

} // namespace srqload
