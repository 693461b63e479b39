// SPDX-License-Identifier: Apache-2.0
/**
 * Observability of a server: metrics with Micrometer, traces with OpenTelemetry, health and readiness. The package
 * changes nothing that it observes, and knows no dialect.
 */
@NullMarked
package io.longhaul.observe;

import org.jspecify.annotations.NullMarked;
