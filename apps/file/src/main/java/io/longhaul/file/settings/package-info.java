// SPDX-License-Identifier: Apache-2.0
/**
 * What a file says to the operator of a server: limits, ports, logs, store, TLS, authorization. The package knows no
 * tools.
 */
@NullMarked
package io.longhaul.file.settings;

import org.jspecify.annotations.NullMarked;
