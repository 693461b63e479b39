// SPDX-License-Identifier: Apache-2.0
package io.longhaul.observe;

import io.longhaul.engine.store.Change;
import io.longhaul.engine.store.CommitResult;
import io.longhaul.engine.store.ForwardingStore;
import io.longhaul.engine.store.StoreException;
import io.longhaul.engine.store.TaskStore;
import io.longhaul.receiver.task.Origin;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;

/** Creates a span for each creation of a task, which stands for the call that created the task. Thread-safe. */
final class TracedStore extends ForwardingStore {

    private final Tracer tracer;

    TracedStore(TaskStore store, Tracer tracer) {
        super(store);
        this.tracer = tracer;
    }

    @Override
    public CommitResult commit(Change change) {
        return change.before() == null && isTool(change.after().spec().work()) ? create(change) : super.commit(change);
    }

    /**
     * Whether the task is a call of a tool. A request of another kind that runs as a task has a span of its handler.
     */
    private static boolean isTool(String work) {
        return work.indexOf(':') < 0;
    }

    private CommitResult create(Change change) {
        var task = change.after();
        var tool = task.spec().work();
        var span = SpanAttributes.ofTool(tracer.spanBuilder(SpanAttributes.CALL + " " + tool), tool)
                .setParent(SpanAttributes.parent(Origin.of(task.spec()).trace()))
                .setSpanKind(SpanKind.SERVER)
                .startSpan();
        try {
            return super.commit(change);
        } catch (StoreException e) {
            SpanAttributes.failed(span, e);
            throw e;
        } finally {
            span.end();
        }
    }
}
