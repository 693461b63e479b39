package io.longhaul.server;

import io.longhaul.server.CallContext.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Questions of any kinds that are asked at the same time: say which, {@link #ask} them, and take the answers from what
 * was given for each. Not thread-safe.
 *
 * <pre>{@code
 * var round = task.round();
 * var name = round.elicit(Question.of("name", "Who are you?", Name.class));
 * var roots = round.roots("roots");
 * round.ask();
 * return name.get().accepted() + " in " + roots.get();
 * }</pre>
 */
public final class Round {

    /** What will have been answered. */
    public static final class Reply<T> {
        private final Function<JsonNode, T> reader;
        private @Nullable JsonNode answer;

        private Reply(Function<JsonNode, T> reader) {
            this.reader = reader;
        }

        /**
         * The answer.
         *
         * @throws IllegalStateException before the round has been asked
         */
        public T get() {
            if (answer == null) {
                throw new IllegalStateException("ask the round first");
            }
            return reader.apply(answer);
        }
    }

    private final CallContext call;
    private final List<Ask> asks = new ArrayList<>();
    private final List<Reply<?>> replies = new ArrayList<>();

    Round(CallContext call) {
        this.call = call;
    }

    /** See {@link RequestContext#elicit(Question)}. */
    public Reply<Elicited<JsonNode>> elicit(Question question) {
        return add(Ask.of(question), CallContext::elicited);
    }

    /** See {@link RequestContext#visit}. */
    public Reply<Elicited.Action> visit(UrlQuestion question) {
        return add(Ask.of(question), answer -> CallContext.elicited(answer).action());
    }

    /**
     * See {@link RequestContext#sample}.
     *
     * @param key its name, unique in the call; null to have one chosen
     */
    public Reply<Sampling.Answer> sample(@Nullable String key, Sampling question) {
        return add(Ask.of(key, question), Sampling.Answer::of);
    }

    /**
     * See {@link RequestContext#roots}.
     *
     * @param key its name, unique in the call; null to have one chosen
     */
    public Reply<List<Root>> roots(@Nullable String key) {
        return add(Ask.roots(key), CallContext::roots);
    }

    /**
     * Asks, and blocks until every answer is there.
     *
     * @throws ClientException where the client answers one with an error, or did not declare that it can be asked it
     */
    public void ask() throws InterruptedException {
        List<JsonNode> answers = call.ask(List.copyOf(asks));
        for (int i = 0; i < answers.size(); i++) {
            replies.get(i).answer = answers.get(i);
        }
    }

    private <T> Reply<T> add(Ask ask, Function<JsonNode, T> reader) {
        var reply = new Reply<>(reader);
        asks.add(ask);
        replies.add(reply);
        return reply;
    }
}
