// SPDX-License-Identifier: Apache-2.0
/**
 * The requests to Temporal about one workflow, over which connection they go, and how its answers are read. The package
 * knows no task: neither why a workflow runs, nor what becomes of its reports.
 */
@NullMarked
package io.longhaul.backend.temporal.request;

import org.jspecify.annotations.NullMarked;
