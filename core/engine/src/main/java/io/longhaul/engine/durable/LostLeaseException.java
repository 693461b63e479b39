// SPDX-License-Identifier: Apache-2.0
package io.longhaul.engine.durable;

/** The store has refused a new task, and kept nothing of it, because other servers have taken this one for dead. */
final class LostLeaseException extends Exception {

    private static final long serialVersionUID = 1;
}
