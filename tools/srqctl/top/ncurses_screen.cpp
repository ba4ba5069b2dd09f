// SPDX-License-Identifier: GPL-2.0
#include "ncurses_screen.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>

namespace srqctl::top {

namespace {

constexpr std::array ending_signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

volatile std::sig_atomic_t told_to_quit = 0;

void on_signal(int /*number*/) { told_to_quit = 1; }

/// Signals come only in wait(), so that none is lost between a look and the wait.
class Signals {
  public:
    Signals() {
        struct sigaction action {};
        action.sa_handler = on_signal;
        sigset_t blocked;
        sigemptyset(&blocked);
        for (std::size_t i = 0; i < ending_signals.size(); i++) {
            sigaction(ending_signals[i], &action, &before_[i]);
            sigaddset(&blocked, ending_signals[i]);
        }
        sigaddset(&blocked, SIGWINCH);
        sigprocmask(SIG_BLOCK, &blocked, &mask_);
        waiting_ = mask_;
        for (const int number : ending_signals)
            sigdelset(&waiting_, number);
        sigdelset(&waiting_, SIGWINCH);
    }

    Signals(const Signals &) = delete;
    Signals &operator=(const Signals &) = delete;

    ~Signals() {
        for (std::size_t i = 0; i < ending_signals.size(); i++)
            sigaction(ending_signals[i], &before_[i], nullptr);
        sigprocmask(SIG_SETMASK, &mask_, nullptr);
    }

    /// Those of poll(), for standard input; none after the time or a signal.
    short wait(std::chrono::duration<double> limit) const {
        const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(limit).count();
        const timespec timeout{.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
        pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
        return ppoll(&input, 1, &timeout, &waiting_) > 0 ? input.revents : short{0};
    }

  private:
    std::array<struct sigaction, ending_signals.size()> before_{};
    sigset_t mask_{};
    sigset_t waiting_{};
};

struct Look {
    short color;
    attr_t attributes;
};

// By Paint. Nothing depends on a colour alone: levels have words too.
constexpr std::array<Look, 11> looks = {{
    {-1, A_NORMAL},
    {-1, A_DIM},
    {-1, A_BOLD},
    {-1, A_REVERSE},
    {COLOR_CYAN, A_BOLD},
    {-1, A_BOLD},
    {COLOR_GREEN, A_NORMAL},
    {COLOR_YELLOW, A_BOLD},
    {COLOR_RED, A_BOLD},
    {COLOR_BLUE, A_REVERSE | A_BOLD},
    {-1, A_NORMAL},
}};

Input input_of(int key) {
    switch (key) {
    case 'q':
    case 'Q':
        return Input::quit;
    case ' ':
        return Input::pause;
    case 'n':
    case KEY_DOWN:
    case KEY_RIGHT:
        return Input::next;
    case 'p':
    case KEY_UP:
    case KEY_LEFT:
        return Input::previous;
    case 'h':
        return Input::holders;
    case '+':
    case '=': // the same key, without shift
        return Input::longer;
    case '-':
        return Input::shorter;
    case 'r':
        return Input::reset;
    case KEY_RESIZE:
        return Input::resized;
    default:
        return Input::none;
    }
}

class NcursesScreen : public Screen {
  public:
    explicit NcursesScreen(bool color)
        : terminal_(newterm(nullptr, stdout, stdin)), unicode_(has_blocks()) {
        if (!terminal_)
            return;
        cbreak();
        noecho();
        nonl();
        keypad(stdscr, TRUE);
        nodelay(stdscr, TRUE);
        set_escdelay(25);
        curs_set(0);
        color_ = color && has_colors() && start_color() == OK && use_default_colors() == OK;
        for (std::size_t i = 0; color_ && i < looks.size(); i++)
            init_pair(pair_of(i), looks[i].color, -1);
    }

    NcursesScreen(const NcursesScreen &) = delete;
    NcursesScreen &operator=(const NcursesScreen &) = delete;

    ~NcursesScreen() override {
        if (!terminal_)
            return;
        endwin();
        delscreen(terminal_);
    }

    /// The cursor can be moved, without which nothing can be drawn.
    bool is_usable() const {
        const char *move = terminal_ ? tigetstr("cup") : nullptr;
        return move && move != reinterpret_cast<char *>(-1);
    }

    Size size() const override { return {getmaxx(stdscr), getmaxy(stdscr)}; }

    bool unicode() const override { return unicode_; }

    void draw(const Grid &grid) override {
        erase();
        const Size size = grid.size();
        for (int row = 0; row < size.height; row++)
            for (int column = 0; column < size.width; column++)
                draw_cell(row, column, grid.at(row, column));
        refresh();
    }

    Input wait(std::chrono::duration<double> limit) override {
        int key = getch();
        if (key == ERR) {
            const short events = signals_.wait(limit);
            if (told_to_quit || events & (POLLHUP | POLLERR | POLLNVAL))
                return Input::quit;
            key = getch();
        }
        const Input input = input_of(key);
        if (input == Input::resized)
            clear();
        return input;
    }

  private:
    static short pair_of(std::size_t look) { return static_cast<short>(look + 1); }

    // The console's font has no such characters, whatever its locale.
    static bool has_blocks() {
        const char *term = std::getenv("TERM");
        std::setlocale(LC_CTYPE, "");
        return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0 &&
               !(term && std::strcmp(term, "linux") == 0);
    }

    void draw_cell(int row, int column, const Cell &cell) const {
        if (cell == Cell{})
            return;
        const auto at = static_cast<std::size_t>(cell.paint);
        const std::array<wchar_t, 2> text{static_cast<wchar_t>(cell.glyph), L'\0'};
        cchar_t drawn{};
        setcchar(&drawn, text.data(), looks[at].attributes, color_ ? pair_of(at) : short{0},
                 nullptr);
        mvadd_wch(row, column, &drawn);
    }

    Signals signals_; // before ncurses, which leaves alone what has a handler
    SCREEN *terminal_;
    bool unicode_;
    bool color_ = false;
};

} // namespace

srqpool::Result<std::unique_ptr<Screen>> open_ncurses(bool color) {
    auto screen = std::make_unique<NcursesScreen>(color);
    if (screen->is_usable())
        return screen;
    const char *term = std::getenv("TERM");
    return tl::unexpected(srqpool::Error{srqpool::ErrorKind::system, 0,
                                         "the terminal type '" + std::string(term ? term : "") +
                                             "' cannot be drawn on"});
}

} // namespace srqctl::top
