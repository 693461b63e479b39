// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.terminal.Key;
import io.longhaul.cli.terminal.Tty.Happening;

/** What the loop is told by others: by the keyboard, the terminal, and the threads that talk to the server. */
sealed interface Event {
    record Pressed(Key key) implements Event {}

    record Happened(Happening happening) implements Event {}

    /** The tasks of the server were looked at. */
    record Looked(Snapshot snapshot) implements Event {}

    /** Something has happened to the task that is followed. */
    record Followed(Detail detail) implements Event {}

    /** Something was done, or refused, at the server. */
    record Done(String note) implements Event {}

    record Over(int exitCode) implements Event {}
}
