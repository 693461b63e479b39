// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

/** The work of a tool. */
public sealed interface WorkEntry permits CommandEntry, HttpEntry, WorkflowEntry {}
