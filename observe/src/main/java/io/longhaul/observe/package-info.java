// SPDX-License-Identifier: Apache-2.0
/** What an operator sees of a server: metrics by Micrometer, traces by OpenTelemetry, health and readiness. */
@NullMarked
package io.longhaul.observe;

import org.jspecify.annotations.NullMarked;
