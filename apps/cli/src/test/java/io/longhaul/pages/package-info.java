// SPDX-License-Identifier: Apache-2.0
/** Every listing of a page is compiled, read or taken by what it is written for. */
@NullMarked
package io.longhaul.pages;

import org.jspecify.annotations.NullMarked;
