// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.temporal;

import io.temporal.common.metadata.POJOWorkflowInterfaceMetadata;

/** Names the workflow that is the work of a tool. */
public final class Temporal {

    private Temporal() {}

    /** Whether the client of Temporal is on the class path. A release keeps it apart; without it no workflow runs. */
    public static boolean hasClient() {
        return Temporal.class.getResource("/io/temporal/serviceclient/WorkflowServiceStubs.class") != null;
    }

    /** The workflow of this type, with a worker in any language. */
    public static WorkflowJob.Builder workflow(String type) {
        return new WorkflowJob.Builder(type);
    }

    /**
     * The workflow with this interface of the Java SDK, which must be on the class path.
     *
     * @throws IllegalArgumentException when the interface has no workflow method
     */
    public static WorkflowJob.Builder workflow(Class<?> workflow) {
        return workflow(POJOWorkflowInterfaceMetadata.newInstance(workflow)
                .getWorkflowType()
                .orElseThrow(() -> new IllegalArgumentException(workflow.getName() + " has no workflow method")));
    }
}
