// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.question;

import io.longhaul.engine.run.Run;
import io.longhaul.engine.run.StaleRunException;
import io.longhaul.engine.task.Payload;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.question.StoredAnswer;
import io.longhaul.receiver.task.Origin;
import io.longhaul.requestor.Answerer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Has the questions of a call answered by the requestor of its task at the gateway. */
public record RunAnswerer(Run run, Asking asking, UnansweredQuestion unanswered) implements Answerer {

    private static final RpcError OVER = new RpcError(RpcError.INTERNAL_ERROR, "The call is over.");

    public static RunAnswerer of(Run run, UnansweredQuestion unanswered) {
        return new RunAnswerer(run, Origin.of(run.spec()).asking(), unanswered);
    }

    @Override
    public Capabilities capabilities() {
        return ForwardedQuestions.askable(asking.capabilities());
    }

    @Override
    public Given answer(CallResponse.Question question) throws InterruptedException {
        return asked(null, question);
    }

    /** Asks under the key of the question, by which a later attempt recognizes it. */
    @Override
    public Given answer(String key, CallResponse.Question question) throws InterruptedException {
        return asked(key, question);
    }

    /** The gateway's task shows all questions, as the upstream's task does. */
    @Override
    public boolean takesSeveral() {
        return true;
    }

    private Given asked(@Nullable String key, CallResponse.Question question) throws InterruptedException {
        var params = ForwardedQuestions.passedOn(question.params());
        try {
            asking.check(List.of(new CallResponse.Question(question.method(), params)), Unanswerable::new);
            var answer = run.ask(key, question.method(), Payload.of(params.bytes()), null);
            return StoredAnswer.error(answer)
                    .map(unanswered::reply)
                    .orElseGet(() -> new Given.Result(Json.raw(answer.bytes())));
        } catch (Unanswerable e) {
            return unanswered.reply(e.why);
        } catch (StaleRunException e) {
            leaveOpenIfHandedBack();
            return new Given.Cannot(OVER);
        } catch (InterruptedException e) {
            leaveOpenIfHandedBack();
            throw e;
        }
    }

    /**
     * Leaves the question to the next gateway, or to the node that has the task now: an error would count as the
     * answer, so this thread waits.
     */
    private void leaveOpenIfHandedBack() throws InterruptedException {
        if (run.isHandingBack()) {
            new CountDownLatch(1).await();
        }
    }

    private static final class Unanswerable extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient RpcError why;

        Unanswerable(RpcError why) {
            super(why.message(), null, false, false);
            this.why = why;
        }
    }
}
