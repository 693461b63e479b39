package io.longhaul.server;

import io.longhaul.protocol.call.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What every handler has: the way to its caller. Thread-safe.
 *
 * <p>When the call is cancelled, the handler's thread is interrupted.
 */
public interface RequestContext {

    /** The distributed trace that the call belongs to, as the caller says. */
    Trace trace();

    /** Whether to stop: the call was cancelled, is out of time, or the server is stopping. */
    boolean isCancelled();

    /** Reports that {@code done} of {@code total} is done. */
    void progress(double done, double total, @Nullable String message);

    /** Reports {@code done} where nobody knows how much there is to do. */
    void progress(double done, @Nullable String message);

    /**
     * Sends a log line to the caller; {@code level} is one of RFC 5424's in lower case, {@code data} is written as
     * JSON.
     */
    void log(String level, Object data);

    /**
     * Asks a person, and blocks until the answer is there.
     *
     * @param form a record of strings, numbers, booleans and enums
     * @throws ClientException where the client answers with an error
     */
    <T> Elicited<T> elicit(String message, Class<T> form) throws InterruptedException;

    /** Asks a person. */
    Elicited<JsonNode> elicit(Question question) throws InterruptedException;

    /** Asks several questions at the same time; the answers come in the same order. */
    List<Elicited<JsonNode>> elicitAll(List<Question> questions) throws InterruptedException;

    /** Asks the client's model. */
    Sampling.Answer sample(Sampling question) throws InterruptedException;

    /** Asks for the client's folders. */
    List<Root> roots() throws InterruptedException;
}
