/* SPDX-License-Identifier: MIT */
/* Errors, runtimes and their hooks (lib/status.h, lib/runtime.h). */
#ifndef GWS_CPP_RUNTIME_HPP
#define GWS_CPP_RUNTIME_HPP

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "../graphws.h"

namespace gws
{

/* A failed call. what() is gws_diagnostic_text(): "FILE:LINE:COLUMN: MESSAGE", without missing parts. */
class error : public std::runtime_error
{
  public:
    explicit error(gws_status failed, const gws_diagnostic &where = {})
        : std::runtime_error(text(failed, where)), status_(failed), line_(where.line), column_(where.column)
    {
    }
    gws_status status() const noexcept { return status_; }
    std::uint64_t line() const noexcept { return line_; } /* from 1; 0: none */
    std::uint64_t column() const noexcept { return column_; }

  private:
    static std::string text(gws_status failed, const gws_diagnostic &where)
    {
        char formatted[600];
        return gws_diagnostic_text(&where, failed, formatted, sizeof formatted);
    }
    gws_status status_;
    std::uint64_t line_, column_;
};

/* Throws an error unless status is GWS_OK. */
inline void check(gws_status status, const gws_diagnostic &where = {})
{
    if (status != GWS_OK) throw error(status, where);
}

template <auto Close> struct closer {
    template <class T> void operator()(T *object) const noexcept { Close(object); }
};
template <class T, auto Close> using handle = std::unique_ptr<T, closer<Close>>;

/* The hooks of gws_options as functions, empty by default. They must not throw. */
struct hooks {
    std::function<void(std::string_view work, std::uint64_t done, std::uint64_t total)> progress;
    std::function<void(std::string_view line)> log;
    std::function<bool()> cancel;
};

/* gws_runtime_open(). Several threads use a runtime each, or take turns. */
class runtime
{
  public:
    /* The three functions replace those hooks and the context of options. */
    explicit runtime(gws_options options = {}, hooks functions = {})
    {
        if (functions.progress || functions.log || functions.cancel) {
            hooks_ = std::make_unique<hooks>(std::move(functions));
            options.context = hooks_.get();
            if (hooks_->progress) options.progress = call_progress;
            if (hooks_->log) options.log = call_log;
            if (hooks_->cancel) options.cancel = call_cancel;
        }
        gws_runtime *opened = nullptr;
        check(gws_runtime_open(&options, &opened));
        runtime_.reset(opened);
    }
    runtime(runtime &&) noexcept = default;
    runtime &operator=(runtime &&other) noexcept
    {
        std::swap(hooks_, other.hooks_);
        std::swap(runtime_, other.runtime_);
        return *this;
    }
    gws_runtime *get() const noexcept { return runtime_.get(); }
    std::uint32_t workers() const noexcept { return gws_runtime_workers(get()); }
    std::string_view policy() const noexcept { return gws_runtime_policy(get()); }

  private:
    static void call_progress(void *context, const char *work, std::uint64_t done, std::uint64_t total) noexcept
    {
        static_cast<hooks *>(context)->progress(work, done, total);
    }
    static void call_log(void *context, const char *line) noexcept { static_cast<hooks *>(context)->log(line); }
    static bool call_cancel(void *context) noexcept { return static_cast<hooks *>(context)->cancel(); }

    std::unique_ptr<hooks> hooks_; /* outlives runtime_ */
    handle<gws_runtime, gws_runtime_close> runtime_;
};

} // namespace gws

#endif
