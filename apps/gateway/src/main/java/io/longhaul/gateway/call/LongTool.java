// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.call;

import io.longhaul.client.CallOptions;
import io.longhaul.client.CallOutcome;
import io.longhaul.client.McpClient;
import io.longhaul.client.McpClientException;
import io.longhaul.client.RemoteCall;
import io.longhaul.client.TaskReference;
import io.longhaul.engine.run.Backend;
import io.longhaul.engine.run.Run;
import io.longhaul.engine.task.Outcome;
import io.longhaul.engine.task.Outcome.FailureReason;
import io.longhaul.engine.task.Payload;
import io.longhaul.gateway.caller.CallerRefusedException;
import io.longhaul.gateway.caller.LoginAsk;
import io.longhaul.gateway.link.CallDesk;
import io.longhaul.gateway.link.Link;
import io.longhaul.gateway.link.LinkUse;
import io.longhaul.gateway.link.RunHandles;
import io.longhaul.gateway.link.UpstreamAwayException;
import io.longhaul.gateway.link.UpstreamServer;
import io.longhaul.gateway.question.RunAnswerer;
import io.longhaul.gateway.question.UnansweredQuestion;
import io.longhaul.protocol.json.Json;
import io.longhaul.receiver.task.Origin;
import io.longhaul.requestor.LongCall;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A long tool of an upstream. Each of its tasks is one call at the upstream, which is made once: a later attempt
 * continues the call by the handle that the task has kept. Thread-safe.
 *
 * @param links    the links to all upstreams, by their names: a task goes on at the upstream where it began
 * @param repeats  whether a call may be repeated without harm
 * @param attempts the attempts that are under way, by their tasks; a tool whose definition changes passes the map on
 *     to its successor
 */
public record LongTool(
        Map<String, Link> links,
        UpstreamServer upstream,
        String tool,
        boolean repeats,
        Map<String, UpstreamCall> attempts)
        implements Backend {

    private static final Logger LOG = LoggerFactory.getLogger(LongTool.class);
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    @Override
    public Outcome run(Run run) throws InterruptedException {
        var begunAt = RunHandles.upstreamOf(run);
        var link = links.get(begunAt.orElse(upstream.name()));
        if (link == null) {
            return new Outcome.Failed(
                    FailureReason.INTERRUPTED,
                    "The call was made at the server '" + begunAt.orElse("")
                            + "', which is not behind this gateway any more.");
        }
        LinkUse use;
        try {
            use = link.use(Origin.of(run.spec()).caller());
        } catch (CallerRefusedException e) {
            return OutcomeTranslation.error(String.valueOf(e.getMessage()));
        }
        return run(run, link, use, begunAt.isPresent());
    }

    private Outcome run(Run run, Link link, LinkUse use, boolean isBegun) throws InterruptedException {
        var attempt = new UpstreamCall();
        attempts.put(run.id().value(), attempt);
        var kept = link.handles().keep(run);
        try {
            if (run.isStopping()) {
                // A stop that came first has not found this attempt.
                throw new InterruptedException("stopped before the call");
            }
            if (!isBegun) {
                use.admit(new LoginAsk(RunAnswerer.of(run, new UnansweredQuestion()), made -> step(run, made)));
            }
            return repeated(run, new Way(link, use), isBegun, attempt);
        } catch (CallerRefusedException e) {
            return OutcomeTranslation.error(String.valueOf(e.getMessage()));
        } finally {
            attempt.end(() -> {
                attempts.remove(run.id().value(), attempt);
                kept.close();
                use.close();
            });
        }
    }

    /** The same login at each attempt, so that a link that a person has goes on after a restart. */
    private static String step(Run run, Supplier<String> made) {
        try {
            return run.step("gateway/login", () -> Payload.ofText(made.get())).text();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The way to the upstream of a call. */
    private record Way(Link link, LinkUse use) {}

    /** Makes the call, again where the upstream was away before it had begun. */
    private Outcome repeated(Run run, Way way, boolean isBegun, UpstreamCall attempt) throws InterruptedException {
        var link = way.link();
        var limits = upstream.bounds().of(tool);
        for (int made = 1; ; made++) {
            try (var turn = link.desk().lasting(isBegun)) {
                try {
                    return followed(run, way, client(run, way.use(), isBegun), attempt, turn);
                } catch (UpstreamAwayException e) {
                    turn.failed();
                    throw e;
                }
            } catch (UpstreamAwayException e) {
                link.look();
                if (isBegun || !CallDesk.pause(limits, made)) {
                    return OutcomeTranslation.error(String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** The client of an upstream; a call that has begun waits for an upstream that was never reached. */
    private static McpClient client(Run run, LinkUse use, boolean isBegun)
            throws UpstreamAwayException, InterruptedException {
        try {
            return use.client();
        } catch (UpstreamAwayException e) {
            if (!isBegun) {
                throw e;
            }
            run.status(use.trouble());
            return use.awaitClient();
        }
    }

    /**
     * Follows the call of a run until its end. A call that has begun counts as lost only after the upstream, while it
     * answers, failed twice in a row to show the call: the upstream may have come back just before the first time.
     */
    private Outcome followed(Run run, Way way, McpClient client, UpstreamCall attempt, CallDesk.Turn turn)
            throws InterruptedException, UpstreamAwayException {
        var link = way.link();
        boolean wasThere = false;
        while (true) {
            boolean isBegun = RunHandles.hasCall(run);
            var unanswered = new UnansweredQuestion();
            var found = call(run, client, unanswered, new RunUpdates(run, link.upstream(), toldAgain(run, client)));
            if (found.isEmpty()) {
                LOG.warn("task {} at {} is lost: its call was made at another address", run.id(), link.upstream());
                return OutcomeTranslation.moved(link.upstream());
            }
            var call = found.get();
            attempt.follow(call);
            var outcome = awaited(call);
            var task = call.reference();
            if (outcome instanceof CallOutcome.Lost && !RunHandles.hasCall(run)) {
                // The client has logged why, unless the run has lost its task.
                return OutcomeTranslation.error("The gateway could not store the call, so the call was not made.");
            }
            var at = new OutcomeTranslation.At(link.upstream(), isBegun || task.isPresent(), unanswered);
            if (!isOutOfSight(outcome) || !at.isBegun()) {
                if (CallDesk.isRepeatable(outcome, at.isBegun(), false)
                        && unanswered.sentence(link.upstream()).isEmpty()) {
                    link.handles().forgetCall(run);
                    throw new UpstreamAwayException(OutcomeTranslation.notBegun(link.upstream()));
                }
                turn.ended(outcome);
                return OutcomeTranslation.of(outcome, at);
            }
            boolean isThere = link.answers(client);
            if (isThere && (wasThere || outcome instanceof CallOutcome.Unanswered)) {
                LOG.warn("task {} at {} is lost: {}", run.id(), link.upstream(), outcome);
                task.ifPresent(reference -> cancel(client, reference));
                return OutcomeTranslation.of(outcome, at);
            }
            wasThere = isThere;
            if (!isThere) {
                run.status(way.use().trouble());
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_TRIES.toMillis());
        }
    }

    /** Whether the task of a call may go on at the upstream, and this gateway does not follow it. */
    private static boolean isOutOfSight(CallOutcome outcome) {
        return outcome instanceof CallOutcome.Lost || outcome instanceof CallOutcome.Unanswered;
    }

    /**
     * How many pieces of output the upstream tells again, which are to be stored once. A server of SEP-1003 may cut its
     * output into other parts the second time, so that a part may be stored twice, but none is lost.
     */
    private static int toldAgain(Run run, McpClient client) {
        return client.server().longCall() == LongCall.PARTS ? 0 : RunHandles.piecesSinceKept(run);
    }

    /**
     * The call of a run: the earlier call where the run has its handle, else a new one. Empty for a handle by which the
     * client finds no call, such as one of another address, where the call must not be made twice.
     */
    private Optional<RemoteCall<CallOutcome>> call(
            Run run, McpClient client, UnansweredQuestion unanswered, RunUpdates updates) {
        var id = RunHandles.key(run);
        var answerer = RunAnswerer.of(run, unanswered);
        if (RunHandles.hasCall(run)) {
            var before = client.resume(id, answerer, updates);
            if (before.isPresent() || !repeats) {
                return before;
            }
        }
        var arguments = Json.raw(run.spec().request().bytes());
        return Optional.of(client.call(tool, arguments, CallOptions.DEFAULT.withCreationKey(id), answerer, updates));
    }

    /**
     * Waits for the end. An interrupted run leaves its call. Where the task has ended, {@link #stop} cancels the call;
     * else the next attempt continues it, here or at another node.
     */
    private static CallOutcome awaited(RemoteCall<CallOutcome> call) throws InterruptedException {
        var outcome = call.await();
        if (outcome instanceof CallOutcome.Left) {
            // The link was closed before the server: the task is handed back to the next one.
            new CountDownLatch(1).await();
        }
        return outcome;
    }

    /** Cancels an upstream task that is no longer followed, so that it does not wait without end. */
    private static void cancel(McpClient client, TaskReference reference) {
        try {
            reference.idForVerbs().ifPresent(client.tasks(reference)::cancel);
        } catch (McpClientException e) {
            LOG.debug("{} was not cancelled: {}", reference.taskId(), e.getMessage());
        }
    }

    /** A server that this gateway has launched keeps its tasks in a process of this machine. */
    @Override
    public boolean isBoundToNode() {
        return upstream.isLaunched();
    }

    /** Stops a run. The call of an earlier process, or of a run that lost its upstream, is found by its handle. */
    @Override
    public void stop(Run run) throws InterruptedException {
        var attempt = attempts.get(run.id().value());
        var ended = attempt == null ? Optional.<CallOutcome>empty() : attempt.stop();
        var link = RunHandles.upstreamOf(run).map(links::get);
        if (link.isPresent() && ended.map(LongTool::isOutOfSight).orElse(true)) {
            cancelKept(run, link.get());
        }
    }

    /** @throws IllegalStateException where the upstream is away, which has the engine try again */
    private static void cancelKept(Run run, Link link) throws InterruptedException {
        try (var use = link.use(Origin.of(run.spec()).caller());
                var kept = link.handles().keep(run)) {
            var client = use.awaitClient();
            // Twice, as in followed(): the upstream may have come back just after the first time.
            for (int lost = 0; lost < 2; lost++) {
                var call =
                        client.resume(RunHandles.key(run), RunAnswerer.of(run, new UnansweredQuestion()), update -> {});
                call.ifPresent(RemoteCall::cancel);
                if (call.isEmpty() || !isOutOfSight(call.get().await())) {
                    return;
                }
                if (!link.answers(client)) {
                    throw new IllegalStateException(
                            "The server '" + link.upstream().name() + "' is out of reach.");
                }
            }
        } catch (CallerRefusedException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
