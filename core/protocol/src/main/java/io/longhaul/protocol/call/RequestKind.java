// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.GetPrompt;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.ReadResource;

/** The kinds of requests that a handler answers, each of which can be run as a task. */
public enum RequestKind {
    /** {@code tools/call} of a tool that is not long-running. */
    TOOL_CALL,
    /** {@code resources/read}. */
    RESOURCE_READ,
    /** {@code prompts/get}. */
    PROMPT_GET;

    /** The kind of a call. */
    public static RequestKind of(Interactive call) {
        return switch (call) {
            case CallTool tool -> TOOL_CALL;
            case ReadResource read -> RESOURCE_READ;
            case GetPrompt get -> PROMPT_GET;
        };
    }
}
