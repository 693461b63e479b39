package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.protocol.rpc.RpcError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One generation of the protocol, from the client's side: says neutral calls in its words, and reads the answers.
 * Implementations are stateless and thread-safe, without clock or sockets.
 */
public interface ClientDialect {

    /** The generation it speaks. */
    Generation generation();

    /** What a client must know of this generation. */
    Traits traits();

    /**
     * A call in the words of this generation.
     *
     * @throws IllegalArgumentException where the generation has no such call
     */
    Outgoing encode(Call call, ClientProfile me);

    /** HTTP headers of every message that is no call, such as a GET. */
    Map<String, String> headers();

    /** Reads the answer to Initialize or Discover. */
    Hello hello(Json result) throws UnusableMessageException;

    /** Reads the result of any other call. */
    Answer decode(Call call, Json result) throws UnusableMessageException;

    /** Reads a notification of the server, or gives nothing for one that says nothing to us. */
    Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException;

    /** The task to which a message of the server belongs by its {@code _meta}, where it says so. */
    Optional<String> relatedTask(Json params);

    /** The result of a question, as it goes back to the server that sent the question as a request. */
    Json reply(Answer.Question question, Json result);

    /** What must be known of a listed tool to call it. */
    ToolTerms terms(Json definition);

    /** The HTTP headers that repeat arguments of a call, as the tool wants them. */
    Map<String, String> mirrored(ToolTerms.Usable terms, Json arguments);

    /**
     * What an error of the server says of the versions it speaks: empty where it is no such error of this era.
     *
     * @return the versions; none in the list where the error is of this era and about something else
     */
    Optional<List<String>> supported(RpcError error);

    /**
     * A request or notification to send.
     *
     * @param headers HTTP headers
     */
    record Outgoing(String method, Json params, Map<String, String> headers) {}

    /**
     * What a server says of itself.
     *
     * @param versions     protocol versions to choose from; the one chosen where the server chooses
     * @param name         of the server
     * @param version      of the server
     * @param capabilities the whole object
     * @param instructions for a model, or null
     * @param tasks        what it can do with tasks in this generation
     */
    record Hello(
            List<String> versions,
            String name,
            String version,
            Json capabilities,
            @Nullable String instructions,
            TaskOffer tasks) {}

    /**
     * What a server can do with tasks.
     *
     * @param calls        whether calls of tools can be tasks
     * @param lists        whether it lists tasks
     * @param cancels      whether it cancels tasks
     * @param creationKeys whether a creation that is repeated with its key finds the same task
     */
    record TaskOffer(boolean calls, boolean lists, boolean cancels, boolean creationKeys) {}

    /** How a tool is to be called. */
    sealed interface ToolTerms {
        /**
         * As it is.
         *
         * @param mode     how it may be called as a task
         * @param mirrored HTTP header by the path of the argument that it repeats
         * @param repeats  whether a call may be repeated without harm
         */
        record Usable(Answer.TaskMode mode, Map<List<String>, String> mirrored, boolean repeats) implements ToolTerms {}

        /** Not at all: its definition is invalid, {@code why} in one sentence. */
        record Invalid(String why) implements ToolTerms {}
    }

    /**
     * Plain facts of a generation.
     *
     * @param sessions        whether it is spoken in sessions that an {@code initialize} opens
     * @param resumable       whether broken streams can be resumed by the id of their last event
     * @param asksByRequest   whether the server sends requests
     * @param closingCancels  whether closing the response of a request cancels it, over HTTP
     * @param tasks           whether it has tasks
     * @param wantsTtl        whether a creation can say how long the task shall be kept
     */
    record Traits(
            boolean sessions,
            boolean resumable,
            boolean asksByRequest,
            boolean closingCancels,
            boolean tasks,
            boolean wantsTtl) {}
}
