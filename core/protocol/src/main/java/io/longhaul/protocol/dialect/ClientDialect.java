// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Both sides of one generation of the protocol: a client encodes neutral calls, and decodes the responses. One class
 * has both sides, so that they cannot disagree. Implementations are stateless and thread-safe, without clock or
 * sockets.
 */
public interface ClientDialect extends Dialect {

    /** The generation of this dialect. */
    Generation generation();

    /**
     * Encodes a call for this generation, in its own words or in those of an extension.
     *
     * @throws IllegalArgumentException where neither has such a call
     */
    default Outgoing encode(Call call, ClientProfile me) {
        return ClientDialects.encode(call, me, this);
    }

    /** Encodes a call in the words of this generation alone. */
    Outgoing write(Call call, ClientProfile me);

    /** The HTTP headers of every message that is not a call, such as a GET. */
    Map<String, String> headers();

    /** Reads the result of Initialize or Discover. */
    Hello hello(Json result) throws UnusableMessageException;

    /** Reads the result of any other call, of this generation or of an extension. */
    default CallResponse decode(Call call, Json result) throws UnusableMessageException {
        return ClientDialects.decode(call, result, this);
    }

    /** Reads the result of a call of this generation alone. */
    CallResponse read(Call call, Json result) throws UnusableMessageException;

    /** Reads a notification of the server; empty for a notification without use for the client. */
    Optional<Notice> notice(JsonRpcMessage.Notification notification) throws UnusableMessageException;

    /** The response to a question that the server sent as a request. */
    default Json reply(CallResponse.Question question, Json result) {
        return result;
    }

    /**
     * The dialect for requests of a server about tasks that this client runs for it; empty in generations without such
     * tasks.
     */
    default Optional<Dialect> receiving() {
        return Optional.empty();
    }

    /**
     * The terms on which a server asks to run a question as a task; empty where it does not ask, or the question cannot
     * be a task.
     *
     * @throws UnusableMessageException where the terms are malformed
     */
    default Optional<Call.TaskWish.Terms> wanted(JsonRpcMessage.Request question) throws UnusableMessageException {
        return Optional.empty();
    }

    /**
     * Adds to a question of a server the wish that the client runs it as a task, where the generation has such wishes.
     */
    default JsonRpcMessage.Request asking(JsonRpcMessage.Request question, Call.TaskWish.Terms wish) {
        return question;
    }

    /** The task of the client that a question became; empty where the result answers the question. */
    default Optional<TaskView> hosted(Json result) throws UnusableMessageException {
        return Optional.empty();
    }

    /** Reads from the definition of a tool how it can be called. */
    ToolTerms terms(Json definition);

    /** The HTTP headers that repeat arguments of a call, as the tool requires. */
    default Map<String, String> mirrored(ToolTerms.Usable terms, Json arguments) {
        return Map.of();
    }

    /**
     * A request or notification to send.
     *
     * @param headers HTTP headers
     */
    record Outgoing(String method, Json params, Map<String, String> headers) {}

    /**
     * The description that a server gives of itself.
     *
     * @param versions     the protocol versions to choose from; only the chosen version where the server chooses
     * @param name         of the server
     * @param version      of the server
     * @param capabilities the whole object
     * @param instructions for a model, or null
     * @param tasks        what the server can do with tasks in this generation
     */
    record Hello(
            List<String> versions,
            String name,
            String version,
            Json capabilities,
            @Nullable String instructions,
            TaskOffer tasks) {

        /** The same server with these features of tasks. */
        public Hello offering(boolean calls, boolean lists, boolean cancels) {
            var offer = new TaskOffer(calls, lists, cancels, tasks.creationKeys(), tasks.control());
            return new Hello(versions, name, version, capabilities, instructions, offer);
        }
    }

    /**
     * What a server can do with tasks.
     *
     * @param calls        whether calls of tools can be tasks
     * @param lists        whether the server lists tasks
     * @param cancels      whether the server cancels tasks
     * @param creationKeys whether a repeated creation with the same key finds the same task
     * @param control      whether the server has Longhaul's extension for lists with filters, histories, retries and
     *                     purges
     */
    record TaskOffer(boolean calls, boolean lists, boolean cancels, boolean creationKeys, boolean control) {}

    /** How a client calls a tool. */
    sealed interface ToolTerms {
        /**
         * The tool can be called.
         *
         * @param mode     how the tool may be called as a task
         * @param mirrored the HTTP headers, by the paths of the arguments that they repeat
         * @param repeats  whether a call may be repeated without harm
         */
        record Usable(CallResponse.TaskMode mode, Map<List<String>, String> mirrored, boolean repeats)
                implements ToolTerms {}

        /** The tool cannot be called, since its definition is invalid; {@code why} is one sentence. */
        record Invalid(String why) implements ToolTerms {}
    }
}
