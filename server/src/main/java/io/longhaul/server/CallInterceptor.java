// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.CallerInfo;
import java.util.List;

/**
 * Stands around the handlers of a server, for an audit, a quota or a context that handlers find on their thread, see
 * {@link McpServerBuilder#intercept}. Thread-safe: many calls pass at the same time.
 */
@FunctionalInterface
public interface CallInterceptor {

    /**
     * A handler that is about to run.
     *
     * @param method  such as {@code tools/call}, {@code resources/read} or {@code prompts/get}
     * @param name    of the tool or prompt, or the URI of the resource
     * @param context what the handler has: of a long-running tool a {@link TaskContext}, of another tool a
     *                {@link ToolContext}
     */
    record HandledCall(String method, String name, RequestContext context) {}

    /** How a handler ended that threw nothing. */
    enum Ended {
        RESULT,
        /** A tool says that it failed. */
        TOOL_ERROR,
        /** A backend ended its task with an error, or as cancelled. */
        ERROR
    }

    /** The rest of the way: the interceptors that were added later, and then the handler. */
    @FunctionalInterface
    interface Next {
        /**
         * Goes on, once, and returns when the handler has ended.
         *
         * @throws Exception what the handler throws; throw it on
         */
        Ended proceed() throws Exception;
    }

    /**
     * Runs on the handler's thread: once for each quick call, and once for each attempt of a task. A quick handler that
     * asks may run again from its start, see {@link RequestContext}, and this method with it. It calls {@code next}
     * once, or throws what a handler may throw, which ends the call or the task in the same way: it cannot change a
     * result.
     */
    void around(HandledCall call, Next next) throws Exception;

    /** What a handler does on its way, which may take long. */
    sealed interface Part {
        /** A step of a task that no earlier attempt has done. */
        record Step(String name) implements Part {}

        /**
         * Questions that are put at the same time, and the wait for their answers. A handler that runs again puts
         * them again, and is answered at once.
         *
         * @param methods such as {@code elicitation/create}, one for each question; at least one
         */
        record Questions(List<String> methods) implements Part {
            public Questions {
                methods = List.copyOf(methods);
            }

            static Questions of(List<CallContext.Ask> asks) {
                return new Questions(asks.stream().map(CallContext.Ask::method).toList());
            }
        }
    }

    /**
     * Some code of a handler.
     *
     * @param <T> what it gives
     * @param <X> what it may throw
     */
    @FunctionalInterface
    interface Action<T, X extends Exception> {
        T run() throws X;
    }

    /**
     * Runs around a part of a handler, on the thread that does it: runs {@code action} once, and gives or throws what
     * that does. Only runs it, by default.
     */
    default <T, X extends Exception> T during(HandledCall call, Part part, Action<T, X> action) throws X {
        return action.run();
    }

    /**
     * Whether a message that calls a tool is taken, asked before anything of the call is stored. A call of several
     * messages, as with resume tokens or questions in rounds, is asked about with each. Takes every message by default.
     *
     * @throws McpException what the caller is told instead
     */
    default void admit(CallerInfo caller, String tool) {}
}
