// SPDX-License-Identifier: Apache-2.0
/**
 * What the tests of Longhaul itself share: threads under the test's control, and what a test may leave behind.
 */
@NullMarked
package io.longhaul.testkit;

import org.jspecify.annotations.NullMarked;
