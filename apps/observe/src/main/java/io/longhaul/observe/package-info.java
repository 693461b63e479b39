// SPDX-License-Identifier: Apache-2.0
/**
 * Observability of a server: metrics with Micrometer ({@code ServerMetrics}), traces with OpenTelemetry
 * ({@code ServerTracing}), health and readiness ({@code MetricsPort}). The package changes nothing that it observes,
 * and knows no dialect.
 */
@NullMarked
package io.longhaul.observe;

import org.jspecify.annotations.NullMarked;
