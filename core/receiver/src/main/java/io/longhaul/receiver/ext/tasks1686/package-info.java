// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks of SEP-1686 that requests other than calls of long-running tools become. The package does not know how such a
 * request is answered, which {@code call} does, nor any other extension.
 */
@NullMarked
package io.longhaul.receiver.ext.tasks1686;

import org.jspecify.annotations.NullMarked;
