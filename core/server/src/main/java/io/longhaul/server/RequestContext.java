// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The access of a handler to its caller: questions, progress and log lines. Thread-safe.
 *
 * <p>When the call is cancelled, the handler's thread is interrupted.
 *
 * <h2>Questions</h2>
 *
 * <p>Every handler asks questions in the same way, and blocks until the answers come. Longhaul chooses how a question
 * reaches the caller: as a request of the server in a session (2025-11-25 and older), as {@code inputRequests} of a
 * task, or, in 2026-07-28 without a task, as a first response to the call, which the client repeats with the answers.
 *
 * <p>In the last case the handler is parked: it waits in memory for ten minutes. Where the answers come later, after a
 * restart or to another node, or where {@link io.longhaul.receiver.Rounds#waiting} handlers wait already
 * ({@link McpServerBuilder#rounds}, 1,000), <b>the handler is run again from its start</b> with its answers replayed. A
 * question that the handler asks again unchanged, under the same key or in the same order, gets its earlier answer at
 * once; everything else in the handler happens again. So side effects before a question may happen more than once:
 * before its last question a handler should make no changes, or only changes that can be repeated. Changes that must
 * happen once belong in a long-running tool, where {@code step} records them. A client may also repeat the same answer
 * within a day, and a client that knows the key of a question may answer with its first call. In a session a quick
 * handler is never run again.
 */
public interface RequestContext {

    /** The caller; for a task, the caller that created the task. */
    CallerInfo caller();

    /**
     * The distributed trace of the call, from the {@code _meta} of the caller (W3C Trace Context and Baggage).
     * Questions carry the trace on to the client. A handler continues the trace in its own spans and calls.
     */
    Trace trace();

    /** Whether the handler should stop: the call was cancelled or has timed out, or the server is stopping. */
    boolean isCancelled();

    /** Reports that {@code done} of {@code total} is done. A total below {@code done}, or not finite, is not sent. */
    void progress(double done, double total, @Nullable String message);

    /** Reports {@code done} where the total is unknown. */
    void progress(double done, @Nullable String message);

    /** The questions that the caller supports, as the caller has declared for this call. */
    ClientCapabilities capabilities();

    /**
     * Sends a log line to the caller; {@code level} is one of RFC 5424's in lower case, {@code data} is written as
     * JSON. A long-running tool fails on a line of more than 1 MiB, unless the server sets another limit. Deprecated by
     * 2026-07-28 (SEP-2577), which keeps it for at least a year.
     *
     * @throws IllegalArgumentException where there is no such level
     */
    void log(String level, Object data);

    /**
     * Asks a person, and blocks until the answer comes.
     *
     * @param form a record of strings, numbers, booleans and enums
     * @throws ClientException where the client answers with an error, or did not declare that it supports this question
     */
    <T> ElicitResult<T> elicit(String message, Class<T> form) throws InterruptedException;

    /** Asks a person; {@link Form} builds questions with every kind of field. */
    ElicitResult<JsonNode> elicit(ElicitRequest question) throws InterruptedException;

    /** Asks several questions at once; the answers come in the same order. */
    List<ElicitResult<JsonNode>> elicitAll(List<ElicitRequest> questions) throws InterruptedException;

    /**
     * Sends a person to a URL, and blocks until the person agrees or declines. An agreement does not mean that the
     * person is done there: where the call needs that first, throw {@link UrlElicitationRequiredException}.
     */
    ElicitResult.Action elicitUrl(ElicitUrlRequest question) throws InterruptedException;

    /** A collection of questions of any kinds that are asked at once. */
    InputRequests inputRequests();

    /**
     * Asks the client's model. Deprecated by 2026-07-28 (SEP-2577), which keeps it for at least a year.
     *
     * @throws ClientException where the client answers with an error, or did not declare that it supports this question
     */
    CreateMessageResult sample(CreateMessageRequest question) throws InterruptedException;

    /**
     * Asks for the client's folders. Deprecated by 2026-07-28 (SEP-2577), which keeps it for at least a year.
     *
     * @throws ClientException where the client answers with an error, or did not declare that it supports this question
     */
    List<Root> listRoots() throws InterruptedException;
}
