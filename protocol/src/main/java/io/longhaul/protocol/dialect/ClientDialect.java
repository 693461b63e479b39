// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import io.longhaul.protocol.call.Answer;
import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.call.ClientProfile;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView;
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
    default Optional<String> relatedTask(Json params) {
        return Optional.empty();
    }

    /** The result of a question, as it goes back to the server that sent the question as a request. */
    default Json reply(Answer.Question question, Json result) {
        return result;
    }

    /**
     * The words in which the server asks after tasks that it has this client run, and is answered; empty in generations
     * in which it has none run.
     */
    default Optional<Dialect> receiving() {
        return Optional.empty();
    }

    /**
     * The task that a question of the server shall be; empty where it shall be none, or can be none here.
     *
     * @throws UnusableMessageException where it says that in a way that makes no sense
     */
    default Optional<Call.TaskWish.Terms> wanted(JsonRpcMessage.Request question) throws UnusableMessageException {
        return Optional.empty();
    }

    /** A question of a server, with the wish that its client run it as a task, where the generation has such wishes. */
    default JsonRpcMessage.Request asking(JsonRpcMessage.Request question, Call.TaskWish.Terms wish) {
        return question;
    }

    /** The task of the client that a question became, where the result says that instead of answering the question. */
    default Optional<TaskView> hosted(Json result) throws UnusableMessageException {
        return Optional.empty();
    }

    /** What must be known of a listed tool to call it. */
    ToolTerms terms(Json definition);

    /** The HTTP headers that repeat arguments of a call, as the tool wants them. */
    default Map<String, String> mirrored(ToolTerms.Usable terms, Json arguments) {
        return Map.of();
    }

    /**
     * What an error of the server says of the versions it speaks: empty where it is no such error of this era.
     *
     * @return the versions; none in the list where the error is of this era and about something else
     */
    default Optional<List<String>> supported(RpcError error) {
        return Optional.empty();
    }

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
            TaskOffer tasks) {

        /** The same server, whose calls can be tasks, which it lists and cancels, or not. */
        public Hello offering(boolean calls, boolean lists, boolean cancels) {
            var offer = new TaskOffer(calls, lists, cancels, tasks.creationKeys(), tasks.control());
            return new Hello(versions, name, version, capabilities, instructions, offer);
        }
    }

    /**
     * What a server can do with tasks.
     *
     * @param calls        whether calls of tools can be tasks
     * @param lists        whether it lists tasks
     * @param cancels      whether it cancels tasks
     * @param creationKeys whether a creation that is repeated with its key finds the same task
     * @param control      whether it has our own extension for lists with filters, histories, retries and purges
     */
    record TaskOffer(boolean calls, boolean lists, boolean cancels, boolean creationKeys, boolean control) {}

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
     * @param tasks           how it goes about long-running calls
     */
    record Traits(
            boolean sessions, boolean resumable, boolean asksByRequest, boolean closingCancels, TaskHandling tasks) {}

    /**
     * How a generation goes about long-running calls.
     *
     * @param making     how a call becomes a task
     * @param keep       what is counted from when a creation says how long the task shall be kept; null where it
     *                   cannot say that
     * @param aliases    the space of the ids that we choose for our tasks, or null where the server gives them
     * @param following  how a task is followed to its outcome
     * @param cancelling how it is cancelled
     */
    record TaskHandling(
            Making making,
            Call.Keep.@Nullable From keep,
            @Nullable String aliases,
            Following following,
            Cancelling cancelling) {
        /** It has no tasks. */
        public static final TaskHandling NONE =
                new TaskHandling(Making.NEVER, null, null, Following.BY_THE_CALL, Cancelling.BY_THE_CALL);
    }

    /** How a call becomes a task. */
    enum Making {
        /** Not at all: a call is answered with its result. */
        NEVER,
        /** The server finds it right, for a call that allows it. */
        ALLOWED,
        /** The call asks for it, and is answered with the task. */
        WANTED,
        /** The call asks for it, is answered with the task, and its session joins the task. */
        JOINED,
        /** The call asks for it, and is answered in the end; a notification tells when there is a task. */
        RACED,
        /** Each answer brings what there is by now, and a token with which the call is repeated for more. */
        IN_PARTS
    }

    /** How a task is followed to its outcome. */
    enum Following {
        /** There is nothing but the call itself. */
        BY_THE_CALL,
        /** Looking at it shows all: its questions, which are answered by its id, and in the end its outcome. */
        LOOKING,
        /** Looking shows where it stands; its outcome is asked for when it has one. */
        LOOKING_THEN_ASKING,
        /** A request waits for its outcome, however long that takes; looking shows where it stands. */
        WAITING,
        /** A request waits for its outcome for a while, again and again; there is nothing to look at. */
        WAITING_FOR_A_WHILE
    }

    /** How a task is cancelled. */
    enum Cancelling {
        /** By giving up the request that created it, even after it was answered. */
        BY_THE_CALL,
        /** By a request with its id. */
        BY_REQUEST,
        /** By a notification with its id. */
        BY_NOTIFICATION
    }
}
