# Makes a header of a kernel's SPIR-V words, in which functions are inlined:
# cmake -DSPIRV_OPT=... -DIN=NAME.spv -DOUT=NAME.h -DNAME=NAME_spirv -P InlineKernel.cmake
#
# Mesa compiles SPIR-V at every start; it compiles this form in two thirds of the time, and kernels run
# 1 % faster on an H200. With all of -O or -Os Mesa compiles faster still, but `refine` takes 7 % longer
# on an H200.
execute_process(
  COMMAND ${SPIRV_OPT} --target-env=vulkan1.2 --preserve-bindings --inline-entry-points-exhaustive
          --eliminate-dead-functions --private-to-local --eliminate-local-single-block
          --eliminate-local-single-store --eliminate-dead-code-aggressive ${IN} -o ${IN}.inlined
  RESULT_VARIABLE failed
  OUTPUT_VARIABLE messages ERROR_VARIABLE messages)  # spirv-opt also reports functions that it does not inline, as they return early
if(failed)
  message(FATAL_ERROR "${messages}")
endif()
file(READ ${IN}.inlined bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1," words "${bytes}")
file(WRITE ${OUT} "#pragma once\nconst uint32_t ${NAME}[] = {${words}};\n")
