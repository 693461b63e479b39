// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.config;

/** What a tool runs. */
public sealed interface WorkEntry permits CommandEntry, HttpEntry, WorkflowEntry {}
