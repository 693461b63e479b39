// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

/** The work of a tool. */
public sealed interface WorkEntry permits CommandEntry, HttpEntry, WorkflowEntry {}
