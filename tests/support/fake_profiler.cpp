// A profiler as NVTX loads it ($NVTX_INJECTION64_PATH): writes down which ranges begin and end.
#include <string>

#include <nvtx3/nvToolsExt.h>

namespace {
std::string seen;
int push(const char* text) { return seen += std::string("[") + text + "]", 0; }
int pop() { return seen += "end;", 0; }
}  // namespace

extern "C" const char* fake_seen() { return seen.c_str(); }
extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t tables) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(tables(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable core = nullptr;
  unsigned count = 0;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &count)) return 0;
  *core[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(push);
  *core[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}
