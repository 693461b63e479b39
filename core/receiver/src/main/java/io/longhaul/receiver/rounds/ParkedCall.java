// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver.rounds;

import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.CallResponse;
import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.call.CallerInfo;
import io.longhaul.protocol.call.Notice;
import io.longhaul.protocol.call.TaskView.ProgressView;
import io.longhaul.protocol.call.Trace;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.receiver.question.Asking;
import io.longhaul.receiver.question.QuestionKinds;
import io.longhaul.receiver.request.CallNotices;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.tool.QuickCall;
import io.longhaul.receiver.tool.QuickHandler;
import io.longhaul.receiver.tool.RpcException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A quick call whose handler outlives the request that began the call, if the handler asks. The handler runs on a
 * thread of its own, or on the thread of that request, which belongs to the handler from its first question on.
 */
final class ParkedCall implements QuickCall {

    /**
     * A point where the handler stops: it asks questions, or has ended.
     *
     * @param questions null at the end of the handler
     */
    record Pause(@Nullable Map<String, Question> questions, Callable<CallResponse> result) {}

    private record Current(InboundRequest request, Interactive call) {}

    private final BlockingQueue<Pause> pauses = new LinkedBlockingQueue<>();
    private final BlockingQueue<Map<String, Json>> answers = new LinkedBlockingQueue<>();
    private final AnsweredQuestions replay;
    private final CallNotices telling;
    private final ReentrantLock turn = new ReentrantLock();
    private final AtomicReference<@Nullable Consumer<Map<String, Question>>> firstAsked = new AtomicReference<>();
    private volatile Current current;
    private volatile Map<String, Question> open = Map.of();
    private volatile @Nullable Thread thread;
    private volatile boolean interrupted;

    /** @param replay the earlier answers, where the handler runs again */
    ParkedCall(InboundRequest request, Interactive call, AnsweredQuestions replay, CallNotices telling) {
        current = new Current(request, call);
        this.replay = replay;
        this.telling = telling;
    }

    /** Runs the handler on a thread of its own. */
    void start(QuickHandler handling) {
        thread = Thread.ofVirtual().name("parked-call").start(() -> pauses.add(new Pause(null, end(handling))));
    }

    /**
     * Runs the handler on this thread.
     *
     * @param asked answers the request when the handler asks for the first time; the thread belongs to the handler from
     *     then on, and the value of this method must be ignored
     */
    CallResponse run(QuickHandler handling, Consumer<Map<String, Question>> asked) throws Exception {
        var here = Thread.currentThread();
        firstAsked.set(open -> {
            asked.accept(open);
            thread = here;
            if (interrupted) {
                here.interrupt();
            }
        });
        var end = end(handling);
        if (firstAsked.getAndSet(null) != null) {
            return end.call();
        }
        pauses.add(new Pause(null, end));
        return new CallResponse.Done();
    }

    private Callable<CallResponse> end(QuickHandler handling) {
        try {
            CallResponse result = handling.answer(this);
            return () -> result;
        } catch (Exception e) {
            return () -> {
                throw e;
            };
        }
    }

    private void pause(Map<String, Question> open) {
        var first = firstAsked.getAndSet(null);
        if (first == null) {
            pauses.add(new Pause(open, CallResponse.Done::new));
        } else {
            first.accept(open);
        }
    }

    /** Waits until the handler asks or ends. */
    Pause next() throws InterruptedException {
        return pauses.take();
    }

    Map<String, Question> open() {
        return open;
    }

    /** What the client carries while the handler waits for answers. */
    CarriedState state(@Nullable String id) {
        return replay.state(id);
    }

    /** The next request of the caller brings answers. */
    void resume(InboundRequest request, Interactive call, Map<String, Json> given) {
        current = new Current(request, call);
        answers.add(given);
    }

    void interrupt() {
        interrupted = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    @Override
    public CallerInfo caller() {
        return current.request().caller();
    }

    @Override
    public Trace trace() {
        return current.call().extras().trace();
    }

    @Override
    public boolean isCancelled() {
        return interrupted;
    }

    @Override
    public void progress(ProgressView progress) {
        telling.progress(current.request(), current.call(), progress);
    }

    @Override
    public void log(String level, @Nullable String logger, Json data) {
        telling.log(current.request(), current.call(), new Notice.Log(level, logger, data, null));
    }

    @Override
    public Asking asking() {
        return current.request().asking();
    }

    @Override
    public Map<String, Json> ask(Map<String, Question> questions) throws InterruptedException {
        asking().check(questions.values(), RpcException::new);
        turn.lockInterruptibly();
        try {
            Map<String, String> names = new LinkedHashMap<>();
            questions.keySet().forEach(key -> names.put(key, replay.name(key)));
            Map<String, Json> given = replayed(questions, names);
            Map<String, Question> left = new LinkedHashMap<>(questions);
            left.keySet().removeAll(given.keySet());
            while (!left.isEmpty()) {
                open = Map.copyOf(left);
                pause(new LinkedHashMap<>(left));
                var more = answers.take();
                more.keySet().retainAll(left.keySet());
                more.forEach((key, answer) -> replay.answered(names.get(key), answer));
                given.putAll(more);
                left.keySet().removeAll(given.keySet());
            }
            return given;
        } finally {
            turn.unlock();
        }
    }

    /** The answers of earlier runs of the handler. */
    private Map<String, Json> replayed(Map<String, Question> questions, Map<String, String> names) {
        Map<String, Json> given = new LinkedHashMap<>();
        questions.forEach((key, question) -> {
            Json answer = replay.answer(names.get(key), question);
            if (answer != null) {
                given.put(key, answer);
            }
        });
        QuestionKinds.problem(questions, given).ifPresent(problem -> {
            throw new RpcException(new RpcError(RpcError.INVALID_PARAMS, problem));
        });
        return given;
    }
}
