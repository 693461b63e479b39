// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/** What happens to a task when its host gives up the call because the call takes too long, or loses its connection. */
public enum WhenAbandoned {
    /** The task goes on, and the host's next call finds the task. */
    KEEP,
    /** The task is cancelled. */
    CANCEL
}
