// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.lease;

/** The store has refused a new task, and kept nothing of it, because other servers have taken this one for dead. */
public final class LostLeaseException extends Exception {

    private static final long serialVersionUID = 1;
}
