# SPDX-License-Identifier: GPL-2.0
# Completion of srqctl in fish: srqctl itself says what can come next.

function __srqctl_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] "$word" 2>/dev/null)
        if test "$line" = /
            __fish_complete_path "$word"
        else
            echo $line
        end
    end
end

complete -c srqctl -f -a '(__srqctl_complete)'
