// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples;

import io.longhaul.backend.temporal.LonghaulWorkflow;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;

/** A worker of Temporal, whose workflow tells Longhaul its progress, and asks before it publishes. */
public final class ReportWorker {

    private ReportWorker() {}

    /** The result of the workflow. */
    public record Report(String quarter, int rows, boolean published) {}

    /** The workflow of the type that the file of tools names. */
    @WorkflowInterface
    public interface ReportWorkflow {

        /** Makes a report. */
        @WorkflowMethod(name = "Report")
        Report report(String quarter, String channel);
    }

    /** The activities of the workflow. */
    @ActivityInterface
    public interface Orders {

        /** The number of orders in a quarter. */
        int count(String quarter);

        /** Publishes the report on a number of orders, where that is wanted. */
        boolean publish(int rows, boolean wanted);
    }

    /** Counts, asks, and publishes. */
    public static final class Reporting implements ReportWorkflow {

        private static final String NOTHING_TO_FILL_IN = "{\"type\":\"object\",\"properties\":{}}";

        private final LonghaulWorkflow longhaul = LonghaulWorkflow.create();
        private final Orders orders = Workflow.newActivityStub(
                Orders.class,
                ActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofSeconds(5))
                        .build());

        @Override
        public Report report(String quarter, String channel) {
            longhaul.progress(0, 2, "counting");
            int rows = orders.count(quarter);
            longhaul.log(rows + " orders in " + quarter);
            longhaul.progress(1, 2, "waiting for a word");
            var answer = longhaul.ask("publish", "Publish " + rows + " orders on " + channel + "?", NOTHING_TO_FILL_IN);
            boolean published = orders.publish(rows, answer.isAccepted());
            longhaul.progress(2, 2, "done");
            return new Report(quarter, rows, published);
        }
    }

    private static final class FixedOrders implements Orders {
        @Override
        public int count(String quarter) {
            return quarter.length();
        }

        @Override
        public boolean publish(int rows, boolean wanted) {
            return wanted;
        }
    }

    /** Works for the Temporal server at {@code HOST:PORT}, or on this machine. */
    public static void main(String[] args) {
        var address = args.length == 0 ? "127.0.0.1:7233" : args[0];
        var stubs = WorkflowServiceStubs.newServiceStubs(
                WorkflowServiceStubsOptions.newBuilder().setTarget(address).build());
        var factory = WorkerFactory.newInstance(WorkflowClient.newInstance(stubs));
        var worker = factory.newWorker("reports");
        worker.registerWorkflowImplementationTypes(Reporting.class);
        worker.registerActivitiesImplementations(new FixedOrders());
        factory.start();
        System.out.println("a worker for the queue reports of Temporal at " + address);
    }
}
