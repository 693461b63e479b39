// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes that a command has written as text: encodings, terminal codes, lines and patterns. The package knows neither
 * jobs nor files.
 */
@NullMarked
package io.longhaul.backend.shell.text;

import org.jspecify.annotations.NullMarked;
