// SPDX-License-Identifier: Apache-2.0
/**
 * The file that names a server's tools: YAML in, checked values out. Each mistake in a file gives one error that names
 * the place and what to do.
 */
@NullMarked
package io.longhaul.cli.config;

import org.jspecify.annotations.NullMarked;
