// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "view.h"

namespace srqctl::top {

using Seconds = std::chrono::duration<double>;

/// As many intervals are remembered, more than a terminal is wide.
constexpr std::size_t history_length = 512;

/// Makes a view of what the kernel told, interval by interval.
class Model {
  public:
    /// A look between the ends of two intervals: how low the levels went.
    void look(const std::vector<srqpool::Pool> &pools);

    /// The end of an interval.
    void end_interval(Seconds now, const std::vector<srqpool::Pool> &pools,
                      std::vector<srqpool::Stats> stats);

    /// Those of the pool that is chosen.
    void set_holders(std::vector<srqpool::Conn> conns);

    /// The pool so many further on, and back to the first behind the last.
    void choose(int step);

    /// Null without any pool.
    const PoolView *chosen() const;

    /// What was remembered is forgotten.
    void reset();

    /// Its pools and holders; the rest is its user's.
    const View &view() const { return view_; }
    View &view() { return view_; }

  private:
    struct Track {
        std::uint32_t lowest = 0;    // in this interval, so far
        std::uint32_t low_water = 0; // as it was told last
        std::deque<std::uint32_t> history;
    };
    using Key = std::pair<std::uint64_t, std::string>; // pool and class

    void follow(const srqpool::Pool &pool);
    PoolView view_of(const srqpool::Pool &pool, const srqpool::Stats *before,
                     const srqpool::Stats *now, Seconds elapsed);
    ClassView view_of(const srqpool::Pool &pool, const srqpool::Class &one);
    void forget_what_is_gone();

    View view_;
    std::map<Key, Track> tracks_;
    std::vector<srqpool::Stats> stats_;
    Seconds then_{0};
};

} // namespace srqctl::top
