package io.longhaul.client;

import io.longhaul.protocol.call.Call;
import io.longhaul.protocol.dialect.ClientDialect.Cancelling;
import io.longhaul.protocol.dialect.ClientDialects;
import io.longhaul.requestor.Ask;
import io.longhaul.requestor.Asked;
import io.longhaul.requestor.Requestor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cancels tasks in the way of the generation that made them, or in another one that the server knows. Thread-safe. */
final class Cancellation {

    private static final Logger log = LoggerFactory.getLogger(Cancellation.class);

    private final Requestor requestor;
    private final Conversations conversations;

    Cancellation(Requestor requestor, Conversations conversations) {
        this.requestor = requestor;
        this.conversations = conversations;
    }

    /**
     * Asks for the cancellation of a task.
     *
     * @param creator the call that made it, or null where another client made it
     * @return false where there is no way to ask
     */
    boolean of(String taskId, @Nullable Ask creator, Consumer<String> trouble) {
        return switch (requestor.dialect().traits().tasks().cancelling()) {
            case BY_REQUEST -> by(requestor, taskId, trouble);
            case BY_NOTIFICATION -> requestor.tell(new Call.CancelTask(taskId));
            case BY_THE_CALL -> (creator != null && requestor.withdraw(creator)) || elsewhere(taskId, trouble);
        };
    }

    private static boolean by(Requestor way, String taskId, Consumer<String> trouble) {
        if (!way.hello().tasks().cancels()) {
            return false;
        }
        var ask = new Ask(new Call.CancelTask(taskId)).onTrouble(trouble);
        if (way.ask(ask) instanceof Asked.Refused(var error)) {
            log.debug("task {} was not cancelled: {}", taskId, error.message());
        }
        return true;
    }

    /** Whoever did not make the task has no call to give up, but the server may know the task in other words too. */
    private boolean elsewhere(String taskId, Consumer<String> trouble) {
        try {
            var way = conversations.that(
                    ways -> ways.cancelling() == Cancelling.BY_REQUEST,
                    ClientDialects.newest().generation());
            return by(way, taskId, trouble);
        } catch (McpException e) {
            log.debug("task {} cannot be cancelled in another way: {}", taskId, e.getMessage());
            return false;
        }
    }
}
