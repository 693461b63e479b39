// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What every handler has: the way to its caller. Thread-safe.
 *
 * <p>When the call is cancelled, the handler's thread is interrupted.
 *
 * <h2>Questions</h2>
 *
 * <p>They are asked in the same way in every handler and blocks it; how they reach the caller is Longhaul's affair: as
 * requests of the server in a session (2025-11-25 and older), as {@code inputRequests} of a task, and in 2026-07-28
 * without a task as a first answer to the call, which its client repeats with what was answered. Meanwhile the handler
 * is parked: it waits in memory for ten minutes. Where the answers come later, after a restart or to another node, or
 * where {@link io.longhaul.receiver.Rounds#waiting} handlers wait already ({@link McpServerBuilder#rounds}, 1,000),
 * <b>the handler is run again from its start</b> with its answers replayed: what it asked before is answered at once
 * with what was answered before, if it asks the very same under the same key or in the same order, and all else that
 * it does is done again. Side effects before a question may so happen more than once. A handler that asks does well to
 * change nothing before its last question, or nothing that cannot be done twice; and what must happen once belongs into
 * a long-running tool, where {@code step} records it. A client may also repeat one and the same answer, within a day,
 * and one that knows the key of a question may answer with its first call. A
 * quick handler is never run again in a session.
 */
public interface RequestContext {

    /** Who makes the call; of a task, who created it. */
    CallerInfo caller();

    /**
     * The distributed trace that the call belongs to, as the caller says in {@code _meta} (W3C Trace Context and
     * Baggage). Questions carry it on to the client; a handler that makes spans of its own or calls others takes it
     * from here.
     */
    Trace trace();

    /** Whether to stop: the call was cancelled, is out of time, or the server is stopping. */
    boolean isCancelled();

    /** Reports that {@code done} of {@code total} is done. A total that is exceeded was none, and is not told. */
    void progress(double done, double total, @Nullable String message);

    /** Reports {@code done} where the total is not known. */
    void progress(double done, @Nullable String message);

    /** What the caller can be asked, as it has declared for this call. */
    ClientCapabilities capabilities();

    /**
     * Sends a log line to the caller; {@code level} is one of RFC 5424's in lower case, {@code data} is written as
     * JSON, and a long-running tool fails on one of more than 1 MiB, where the server's limits say nothing else.
     * Deprecated by 2026-07-28 (SEP-2577), which still has it for at least a year.
     */
    void log(String level, Object data);

    /**
     * Asks a person, and blocks until the answer is there.
     *
     * @param form a record of strings, numbers, booleans and enums
     * @throws ClientException where the client answers with an error, or did not declare that it can be asked this
     */
    <T> ElicitResult<T> elicit(String message, Class<T> form) throws InterruptedException;

    /** Asks a person; {@link Form} makes questions with every kind of field. */
    ElicitResult<JsonNode> elicit(ElicitRequest question) throws InterruptedException;

    /** Asks several questions at the same time; the answers come in the same order. */
    List<ElicitResult<JsonNode>> elicitAll(List<ElicitRequest> questions) throws InterruptedException;

    /**
     * Sends a person to an address, and blocks until they agree or not. That they agree does not mean that they are
     * done there: where the call needs that first, throw {@link UrlElicitationRequiredException}.
     */
    ElicitResult.Action elicitUrl(ElicitUrlRequest question) throws InterruptedException;

    /** Questions of any kinds that are to be asked at the same time. */
    InputRequests inputRequests();

    /**
     * Asks the client's model. Deprecated by 2026-07-28 (SEP-2577), which still has it for at least a year.
     *
     * @throws ClientException where the client answers with an error, or did not declare that it can be asked this
     */
    CreateMessageResult sample(CreateMessageRequest question) throws InterruptedException;

    /**
     * Asks for the client's folders. Deprecated by 2026-07-28 (SEP-2577), which still has it for at least a year.
     *
     * @throws ClientException where the client answers with an error, or did not declare that it can be asked this
     */
    List<Root> listRoots() throws InterruptedException;
}
