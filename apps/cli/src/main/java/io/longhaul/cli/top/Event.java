// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.terminal.Key;
import io.longhaul.cli.terminal.Tty.Happening;

/** The events for the loop: from the keyboard, the terminal, and the threads that talk to the server. */
sealed interface Event {
    record Pressed(Key key) implements Event {}

    record Happened(Happening happening) implements Event {}

    /** The tasks of the server were read. */
    record Looked(Snapshot snapshot) implements Event {}

    /** The followed task has a new event. */
    record Followed(Detail detail) implements Event {}

    /** The server has carried out an action, or refused it. */
    record Done(String note) implements Event {}

    record Over(int exitCode) implements Event {}
}
