// SPDX-License-Identifier: Apache-2.0
package io.longhaul.receiver;

import io.longhaul.engine.TaskEngine;
import io.longhaul.engine.TaskEngine.Created;
import io.longhaul.engine.TaskEngine.Creation;
import io.longhaul.engine.TaskLimits;
import io.longhaul.engine.durable.DurableEngine;
import io.longhaul.engine.run.Work;
import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.engine.task.CreationKey;
import io.longhaul.engine.task.Payload;
import io.longhaul.engine.task.Route;
import io.longhaul.engine.task.Source;
import io.longhaul.engine.task.Task;
import io.longhaul.fakes.FakeTime;
import io.longhaul.fakes.MemoryTaskStore;
import io.longhaul.protocol.call.ClientProfile.Capabilities;
import io.longhaul.protocol.call.Freshness;
import io.longhaul.protocol.dialect.DialectSelector;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.RequestId;
import io.longhaul.protocol.transport.Principal;
import io.longhaul.protocol.transport.Share;
import io.longhaul.receiver.node.Nodes;
import io.longhaul.receiver.observe.ObservedServer;
import io.longhaul.receiver.plan.Manner;
import io.longhaul.receiver.plan.Planner;
import io.longhaul.receiver.request.InboundRequest;
import io.longhaul.receiver.request.Reply;
import io.longhaul.receiver.session.Session;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What parts of a receiver need around them: an engine whose work never ends by itself, fake time, and requests. */
public final class ReceiverParts implements AutoCloseable {

    public static final Principal ANN = new Principal("ann", Principal.Kind.AUTHORIZED);
    public static final Principal BOB = new Principal("bob", Principal.Kind.AUTHORIZED);
    public static final Duration LONGEST = Duration.ofDays(7);
    public static final Payload NO_ORIGIN = Payload.ofText("{\"dialect\":\"none\",\"request\":1,\"given\":{}}");

    public final FakeTime time = new FakeTime();
    public final DialectSelector dialects = new DialectSelector("parts", "1");
    public final Context context;

    public ReceiverParts() {
        var never = new CountDownLatch(1);
        var work = new Work(
                "waits",
                run -> {
                    never.await();
                    throw new IllegalStateException("the work of tests does not end");
                },
                CrashPolicy.FAIL,
                null,
                Integer.MAX_VALUE);
        var engine = DurableEngine.builder()
                .store(new MemoryTaskStore())
                .time(time)
                .limits(TaskLimits.builder()
                        .livePerOwner(1_000)
                        .longestRetention(LONGEST)
                        .handBackGrace(Duration.ofMillis(200))
                        .build())
                .works(List.of(work))
                .start();
        var server = new ServerIdentity(Json.raw("{\"name\":\"parts\"}"), null, Freshness.NONE, Map.of());
        var random = new Random(1);
        context = new Context(engine, server, Choices.DEFAULT, ObservedServer.NONE, new Nodes(engine, random), random);
    }

    /** A session over HTTP. */
    public static Session session(String id, Principal principal) {
        var facts = new Session.Facts("next", Capabilities.NONE, null, Set.of());
        return new Session(id, principal, new Share(principal.name()), facts);
    }

    /** A session over HTTP whose client can be asked by forms. */
    public static Session askable(String version) {
        var facts = new Session.Facts(version, new Capabilities(true, false, false, false, false), null, Set.of());
        return new Session("s", ANN, new Share(ANN.name()), facts);
    }

    /** The context with an engine of which some methods, by their names, answer as a test says. */
    public Context with(Map<String, Function<Object[], Object>> answers) {
        var engine = (TaskEngine) Proxy.newProxyInstance(
                TaskEngine.class.getClassLoader(), new Class<?>[] {TaskEngine.class}, (proxy, method, arguments) -> {
                    var answer = answers.get(method.getName());
                    return answer == null ? method.invoke(context.engine(), arguments) : answer.apply(arguments);
                });
        return new Context(
                engine, context.server(), context.choices(), context.observed(), context.nodes(), context.random());
    }

    /** A request that stands alone, in words whose clients bring answers with their next round. */
    public InboundRequest request(Principal principal) {
        return request(session("alone", principal), "plain-2026-07-28", 1);
    }

    /** @param dialect its name */
    public InboundRequest request(Session session, String dialect, long id) {
        return request(session, manner(dialect), id, new RecordedExchange(session.principal()));
    }

    /** @param dialect its name */
    public Manner manner(String dialect) {
        return Planner.manner(dialects.named(dialect).orElseThrow());
    }

    public InboundRequest request(Session session, Manner words, long id, RecordedExchange exchange) {
        var live = session.begin(new RequestId.Number(id), false).orElseThrow();
        var reply = new Reply(exchange, live, words);
        var facts = session.facts();
        var can = facts == null ? Capabilities.NONE : facts.capabilities();
        return new InboundRequest(session, words, can, session.client(), live, reply);
    }

    public Task task(Session session, Payload origin, @Nullable Route route, @Nullable CreationKey key) {
        var request = Payload.ofText("{}");
        var creation = new Creation(session.owner(), "waits", request, new Source(origin, route), key, null);
        return ((Created.New) context.engine().create(creation)).task();
    }

    public Task task(Session session) {
        return task(session, NO_ORIGIN, null, null);
    }

    @Override
    public void close() {
        context.engine().close();
    }
}
