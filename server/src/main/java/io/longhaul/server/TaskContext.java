package io.longhaul.server;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A call as its handler sees it: the way to its caller, and for a long-running tool the durable task. Thread-safe.
 *
 * <p>When the call is cancelled or runs out of time, the handler's thread is interrupted, and methods that write throw.
 */
public interface TaskContext {

    /** The task's id; empty for the call of a tool that is not long-running. */
    Optional<String> id();

    /** The arguments as they came. */
    JsonNode arguments();

    /** Which attempt this is, counted from 1; more than that only after a crash. */
    int attempt();

    /** When the call will be stopped; empty where the tool has no timeout. */
    Optional<Instant> deadline();

    /** Whether to stop: cancelled, out of time, or the server is stopping. */
    boolean isCancelled();

    /** Reports that {@code done} of {@code total} is done. */
    void progress(double done, double total, @Nullable String message);

    /** Reports {@code done} where nobody knows how much there is to do. */
    void progress(double done, @Nullable String message);

    /** Says in one sentence what is being done. */
    void say(String message);

    /**
     * Sends a log line to the caller; {@code level} is one of RFC 5424's in lower case, {@code data} is written as
     * JSON.
     */
    void log(String level, Object data);

    /** Stores a piece of partial output, written as JSON, in order; durable on return. Long-running tools only. */
    void emit(Object output);

    /**
     * Does {@code action} unless an earlier attempt has done it, and gives its recorded result. In a tool that is not
     * long-running it is just done.
     *
     * @param name unique in the handler
     */
    <T> T step(String name, Class<T> type, Callable<T> action) throws Exception;

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

    /** The answer to a question that {@code askFirst} of the tool names. */
    <T> Elicited<T> first(String key, Class<T> form) throws InterruptedException;

    /** Asks the client's model. */
    Sampling.Answer sample(Sampling question) throws InterruptedException;

    /** Asks for the client's folders. */
    List<Root> roots() throws InterruptedException;
}
