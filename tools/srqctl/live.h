// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lib/client.h"
#include "session.h"

namespace srqctl {

/// A word that could come next on the command line, and what it stands for.
struct Candidate {
    std::string word;
    std::string about;
};

using Candidates = std::vector<Candidate>;

/// What there is now, for completion: nothing, and no word about it, where the module cannot be
/// asked.
class Live {
  public:
    explicit Live(const Environment &environment);

    Candidates devs();
    Candidates pools();
    Candidates listeners();
    Candidates conns();

    /// Names of classes, of one pool if it is given.
    Candidates class_names(const std::optional<std::string> &pool);

    /// The classes of a pool as --class takes them, to be changed.
    Candidates class_specs(const std::string &pool);

  private:
    std::optional<srqpool::Client> client_;
};

} // namespace srqctl
