// SPDX-License-Identifier: Apache-2.0
/** Words, durations and sizes as people write them. The package knows no file. */
@NullMarked
package io.longhaul.file.text;

import org.jspecify.annotations.NullMarked;
