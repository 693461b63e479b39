// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.engine.run.SuspendedException;
import io.longhaul.protocol.call.CallerInfo;
import java.util.List;

/**
 * Runs around the handlers of a server, for example for an audit, a quota or a context on the handler's thread, see
 * {@link McpServerBuilder#intercept}. Thread-safe: many calls run at the same time.
 */
@FunctionalInterface
public interface CallInterceptor {

    /**
     * A handler that is about to run.
     *
     * @param method  the method of the request, such as {@code tools/call}, {@code resources/read} or
     *                {@code prompts/get}
     * @param name    the name of the tool or prompt, or the URI of the resource
     * @param context the context of the handler: a {@link TaskContext} for a long-running tool, a {@link ToolContext}
     *                for another tool
     */
    record HandledCall(String method, String name, RequestContext context) {}

    /** How a handler ended without an exception. */
    enum Ended {
        RESULT,
        /** The result of a tool says that the tool failed. */
        TOOL_ERROR,
        /** A backend ended its task with an error, or as cancelled. */
        ERROR
    }

    /** The rest of the chain: the interceptors that were added later, and then the handler. */
    @FunctionalInterface
    interface Next {
        /**
         * Continues the chain, and returns when the handler has ended. Call this method once.
         *
         * @throws Exception the exception of the handler; rethrow it
         */
        Ended proceed() throws Exception;
    }

    /**
     * Runs on the handler's thread: once for each quick call, and once for each attempt of a task. A quick handler that
     * asks may run again from its start, see {@link RequestContext}, and this method with it. An attempt whose task is
     * suspended ends with a {@link SuspendedException}, which is no failure. An implementation calls
     * {@code next} once, or throws what a handler may throw, which ends the call or the task in the same way. An
     * interceptor cannot change a result.
     */
    void around(HandledCall call, Next next) throws Exception;

    /** A part of a handler that may take long. */
    sealed interface Part {
        /** A step of a task that no earlier attempt has done. */
        record Step(String name) implements Part {}

        /**
         * Questions that are asked at once, and the wait for their answers. A handler that runs again asks them again,
         * and gets the answers at once.
         *
         * @param methods the method of each question, such as {@code elicitation/create}; at least one
         */
        record Questions(List<String> methods) implements Part {
            public Questions {
                methods = List.copyOf(methods);
            }
        }
    }

    /**
     * A piece of code of a handler.
     *
     * @param <T> the result
     * @param <X> the exception that the code may throw
     */
    @FunctionalInterface
    interface Action<T, X extends Exception> {
        T run() throws X;
    }

    /**
     * Runs around a part of a handler, on the thread of that part. An implementation runs {@code action} once, and
     * returns or throws what the action does. By default only runs the action.
     */
    default <T, X extends Exception> T during(HandledCall call, Part part, Action<T, X> action) throws X {
        return action.run();
    }

    /**
     * Accepts or refuses a message that calls a tool, before anything of the call is stored. For a call of several
     * messages, as with resume tokens or questions in rounds, this method runs for each message. By default accepts
     * every message.
     *
     * @throws McpException the error for the caller, which refuses the message
     */
    default void admit(CallerInfo caller, String tool) {}
}
