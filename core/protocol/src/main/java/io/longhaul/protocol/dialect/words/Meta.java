// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect.words;

/** Keys of {@code _meta} objects, and other names that several revisions share. */
public final class Meta {

    public static final String META = "_meta";
    public static final String PROGRESS_TOKEN = "progressToken";
    public static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
    public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    public static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";
    public static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";
    public static final String RELATED_TASK = "io.modelcontextprotocol/related-task";
    public static final String IMMEDIATE_RESPONSE = "io.modelcontextprotocol/model-immediate-response";

    /** The token of the next part of a result, in the params of a call or in their {@code _meta}. */
    public static final String RESUME_TOKEN = "resumeToken";

    /** The experimental capability of clients that accept results in parts. */
    public static final String RESUME_TOKENS = "resumeTokens";

    /** The extension with which a client declares that it accepts tasks. */
    public static final String TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

    /** Our own: makes a creation safe to repeat. */
    public static final String CREATION_KEY = "io.longhaul/creation-key";

    /** Our own: for how many milliseconds, at least, the token for the next part of a result is valid. */
    public static final String TOKEN_TTL = "io.longhaul/token-ttl-ms";

    /** Our own: the id of the task whose result has this part, for methods of generations that use ids. */
    public static final String PART_OF = "io.longhaul/task";

    /** Our own: marks a part of a result that has no output, only the state of the work. */
    public static final String NOTHING_NEW = "io.longhaul/nothing-new";

    /** Our own: the progress of a task, for clients that do not parse the status message. */
    public static final String PROGRESS = "io.longhaul/progress";

    /** Our own: the resource of the partial output of a task, once there is any. */
    public static final String OUTPUT = "io.longhaul/output";

    /** Our own: the resource of the log lines of a task, once there are any. */
    public static final String LOG = "io.longhaul/log";

    /** Our own: the resource of what comes after the output or the log lines that were read. */
    public static final String NEXT = "io.longhaul/next";

    /** Our own: the id of the parent of a task. */
    public static final String PARENT = "io.longhaul/parent";

    /** Our own: {@code required} for a tool that only runs as tasks, where a generation has no field for that. */
    public static final String TASK_SUPPORT = "io.longhaul/task-support";

    /** Our own: when a call came in, in seconds of Unix time. */
    public static final String RECEIVED = "io.longhaul/received";

    /** Our own: marks the result of a call that ended because a person did not approve it. */
    public static final String DECLINED = "io.longhaul/declined";

    /** Our own, in the data of an error: marks a method that is not for anonymous callers. */
    public static final String ANONYMOUS = "io.longhaul/anonymous";

    /** Our own, in stored results alone: contents of resources of the task, which no client is sent with the result. */
    public static final String KEPT = "io.longhaul/kept";

    /** Our own extension: lists of tasks with filters, their histories, retries and purges. */
    public static final String TASK_CONTROL = "io.longhaul/tasks";

    private Meta() {}
}
