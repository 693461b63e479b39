/**
 * Programs that run, one for each use case.
 */
@NullMarked
package io.longhaul.examples;

import org.jspecify.annotations.NullMarked;
