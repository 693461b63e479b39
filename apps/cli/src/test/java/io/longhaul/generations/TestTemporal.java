// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.internal.testservice.TestServicesStarter;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The test server of Temporal, on a port. It counts workflows, and gives their tasks to whichever worker is there. */
final class TestTemporal implements AutoCloseable {

    private final TestServicesStarter services = new TestServicesStarter(true, 0);
    private final Set<String> started = ConcurrentHashMap.newKeySet();
    private final Server server;

    TestTemporal() throws IOException {
        var builder = NettyServerBuilder.forPort(0);
        services.getServices()
                .forEach(service -> builder.addService(ServerInterceptors.intercept(service, new Passing())));
        server = builder.build().start();
    }

    private final class Passing implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
            return new SimpleForwardingServerCallListener<Q>(next.startCall(call, metadata)) {
                @Override
                public void onMessage(Q message) {
                    super.onMessage(passed(message));
                }
            };
        }
    }

    /** The test server never takes back what it has put on the own queue of a worker that is gone. */
    @SuppressWarnings("unchecked")
    private <Q> Q passed(Q message) {
        return switch (message) {
            case StartWorkflowExecutionRequest start -> {
                started.add(start.getWorkflowId());
                yield message;
            }
            case RespondWorkflowTaskCompletedRequest completed ->
                (Q) completed.toBuilder().clearStickyAttributes().build();
            default -> message;
        };
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    /** The ids of all workflows that somebody wanted to start. Of one id the server starts one workflow alone. */
    Set<String> started() {
        return Set.copyOf(started);
    }

    @Override
    public void close() {
        server.shutdownNow();
        services.close();
    }
}
