// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.top;

import io.longhaul.cli.terminal.Key;
import io.longhaul.cli.terminal.Tty.WindowEvent;
import io.longhaul.cli.top.view.TaskDetail;
import io.longhaul.cli.top.view.TaskSnapshot;

/** The events for the loop: from the keyboard, the terminal, and the threads that talk to the server. */
sealed interface TopEvent {
    record Pressed(Key key) implements TopEvent {}

    record Happened(WindowEvent happening) implements TopEvent {}

    /** The tasks of the server were read. */
    record Looked(TaskSnapshot snapshot) implements TopEvent {}

    /** The followed task has a new event. */
    record Followed(TaskDetail detail) implements TopEvent {}

    /** The server has carried out an action, or refused it. */
    record Done(String note) implements TopEvent {}

    record Over(int exitCode) implements TopEvent {}
}
