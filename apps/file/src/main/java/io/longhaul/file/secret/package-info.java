// SPDX-License-Identifier: Apache-2.0
/**
 * The secrets that a file names and does not contain: in files of their own, or in variables. The package does not
 * know what a secret is for.
 */
@NullMarked
package io.longhaul.file.secret;

import org.jspecify.annotations.NullMarked;
