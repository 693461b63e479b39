// SPDX-License-Identifier: Apache-2.0
/**
 * What an author of a script gets from Longhaul: a helper file for each language, which says lines to the server and
 * reads its answers, and a first tool with its test. {@code say.schema.json} defines the lines. The package does not
 * know how a server reads them.
 */
@NullMarked
package io.longhaul.file.script;

import org.jspecify.annotations.NullMarked;
