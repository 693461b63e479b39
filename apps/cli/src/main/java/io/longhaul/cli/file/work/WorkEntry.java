// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.file.work;

/** The work of a tool. */
public sealed interface WorkEntry permits CommandEntry, HttpEntry, WorkflowEntry {}
